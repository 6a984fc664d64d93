/** The beginning of a text, at most so many bytes of JSON, no character halved: for summaries, which have to fit. */
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

/** The beginning of a text, at most so many characters, none of them cut in half. */
export const firstCharacters = (text: string, characters: number): string =>
  text.length <= characters ? text : [...text.slice(0, 2 * characters)].slice(0, characters).join('');

/** Without the quotes around it. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;
