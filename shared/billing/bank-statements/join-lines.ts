/**
 * Joins the lines into which a bank breaks a text. A full line may end within a word, so that the next one follows without
 * a space. `width` is the most characters of a line.
 */
export const joinedLines = (lines: readonly string[], width: number): string =>
  lines.reduce((text, line, at) => {
    const isFull = at > 0 && (lines[at - 1]?.length ?? 0) >= width;
    return at === 0 ? line : text + (isFull ? '' : ' ') + line;
  }, '');
