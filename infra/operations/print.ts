import { printable } from '../../shared/printable.ts';

/** Prints the lines, or the value as JSON if there are no lines. */
export const print = (value: unknown, lines?: readonly string[]): void =>
  printTo(process.stdout, lines ?? JSON.stringify(value, null, 2).split('\n'));

/** Prints a line on stderr. */
export const printError = (line: string): void => printTo(process.stderr, [line]);

const printTo = (stream: NodeJS.WriteStream, lines: readonly string[]): void =>
  void stream.write(lines.map((line) => `${printable(line)}\n`).join(''));

/** Aligns the columns of a table. Returns its lines. */
export function textTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lineOf = (row: readonly string[]) => row.map((text, n) => text.padEnd(widths[n] ?? 0)).join('  ');
  return rows.map((row) => lineOf(row).trimEnd());
}
