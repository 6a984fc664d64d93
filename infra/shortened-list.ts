/** Returns the first `most` entries, followed by the number of the other entries if there are any. */
export const shortenedList = (entries: readonly string[], most: number): string[] =>
  entries.length > most ? [...entries.slice(0, most), `and ${entries.length - most} more`] : [...entries];
