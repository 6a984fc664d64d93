/** Characters that change the text direction, and the byte order mark. */
const marks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** Control characters, unpaired surrogates and white space. */
const gaps = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/** Converts user input to one line without direction marks and control characters. */
export const oneLine = (text: string): string => text.replace(marks, '').replace(gaps, ' ').trim();

/**
 * Cuts a text to a number of characters. A text that was cut ends with an ellipsis. Never splits a surrogate
 * pair.
 */
export function cutAt(text: string, characters: number): string {
  const all = [...text];
  return all.length <= characters
    ? text
    : `${all
        .slice(0, characters - 1)
        .join('')
        .trimEnd()}…`;
}
