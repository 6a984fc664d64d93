/** The longest prefix of a text within so many bytes of JSON, cut between characters. For summaries of limited size. */
export function cutText(text: string, bytes: number): string {
  if (bytesOf(text) <= bytes) return text;
  let [kept, taken] = ['', 0];
  for (const character of text) {
    taken += bytesOf(character);
    if (taken > bytes) break;
    kept += character;
  }
  return kept;
}

/** The first characters of a text, cut between characters. */
export const firstCharacters = (text: string, characters: number): string =>
  text.length <= characters ? text : [...text.slice(0, 2 * characters)].slice(0, characters).join('');

/** Without the quotes of the JSON string. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;
