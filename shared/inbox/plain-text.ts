/** Characters that show nothing or change how their neighbours are shown: controls, joiners, marks of direction, halves. */
const unshown = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/** A text of somebody else's as one line: whatever does not show is one space, and none at its ends. */
export const oneLine = (text: string): string => text.replace(unshown, ' ').trim();

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
