/** Returns the longest prefix of a text that has at most `bytes` bytes as JSON. Does not split characters. */
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

/** Returns the first characters of a text. Does not split surrogate pairs. */
export const firstCharacters = (text: string, characters: number): string =>
  text.length <= characters ? text : [...text.slice(0, 2 * characters)].slice(0, characters).join('');

/** The size of a text as JSON, without the quotes. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;
