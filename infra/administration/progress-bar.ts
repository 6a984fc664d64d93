interface ProgressBar {
  advance(by?: number): void;
  end(): void;
}

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

const width = 24;
/** Milliseconds between two updates. */
const interval = 100;

/**
 * Shows progress on stderr if stderr is a terminal. Without a `total`, shows only the count. If the count exceeds
 * the total, the bar is shown full.
 */
export function progressBar(
  label: string,
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
    // The line must not wrap, because the terminal erases only one line.
    const line = `${label}${bar}${of} ${done}`.slice(0, (terminal.columns || 80) - 1);
    terminal.write(`\r\x1b[K${line}`);
  };
  return {
    advance(by = 1) {
      done += by;
      if (clock() - drawn >= interval) draw();
    },
    end: () => void terminal.write('\r\x1b[K'),
  };
}

/** Shows a progress count while `run` is running. */
export function withProgressBar<T>(
  label: string,
  run: (advance: (by?: number) => void) => Promise<T>,
): Promise<T> {
  const bar = progressBar(label);
  return run(bar.advance).finally(bar.end);
}
