/** Says how far something long has come. */
interface ProgressBar {
  /** So much more is done. */
  advance(by?: number): void;
  /** It is over: whatever comes next stands in a line of its own. */
  end(): void;
}

/** What a bar is drawn on, such as stderr. */
type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

const width = 24;
/** Milliseconds between two looks that somebody gets. */
const every = 100;

/**
 * A bar on stderr, where that is a terminal, and nothing elsewhere, so that no log and no pipe has it. `total`: how much there
 * is; where that is not known it counts only, and where it was too low the bar stays full.
 */
export function progressBar(
  what: string,
  total?: number,
  terminal: Terminal = process.stderr,
  clock: () => number = Date.now,
): ProgressBar {
  if (!terminal.isTTY) return { advance: () => {}, end: () => {} };
  let [done, drawn] = [0, 0];
  const draw = () => {
    drawn = clock();
    const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total);
    const full = Math.floor((share ?? 0) * width);
    const bar = share === undefined ? '' : ` [${'#'.repeat(full)}${'-'.repeat(width - full)}]`;
    const of = share === undefined ? '' : ` ${Math.floor(share * 100)} %`;
    // A line that wraps could not be taken back.
    const line = `${what}${bar}${of} ${done}`.slice(0, (terminal.columns || 80) - 1);
    terminal.write(`\r\x1b[K${line}`);
  };
  return {
    advance(by = 1) {
      done += by;
      if (clock() - drawn >= every) draw();
    },
    end: () => void terminal.write('\r\x1b[K'),
  };
}
