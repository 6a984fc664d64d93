/** Marks that change the direction in which their neighbours are shown, and what shows nothing at the head of a text. */
const marks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** Controls, halves of characters, and all that parts words or lines. */
const gaps = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/** A text of somebody else's as one line that reads as it was written: no marks of direction, no controls. */
export const oneLine = (text: string): string => text.replace(marks, '').replace(gaps, ' ').trim();

/** The first so many characters of a text, none halved; where some are left out the last is an ellipsis. */
export function cutAt(text: string, characters: number): string {
  const all = [...text];
  return all.length <= characters
    ? text
    : `${all
        .slice(0, characters - 1)
        .join('')
        .trimEnd()}…`;
}
