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

/** Without the quotes around it. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;
