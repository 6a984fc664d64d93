import { csvRows, linesOf } from '../../billing/bank-statements/csv-rows.ts';
import { UnreadableStatement } from '../../billing/bank-statements/statement.ts';
import { decodeFile } from '../../billing/statement-uploads/decode-file.ts';
import { type FileRow, type FileSheet, UnreadableFile } from './file-cell.ts';

const delimiters = [',', ';', '\t', '|'];
/** The delimiter is found in these lines. */
const linesOfDelimiter = 60;
const rowsAtOnce = 500;

/** Reads a file with columns that a delimiter separates. Throws `UnreadableFile` if it is not a text. */
export function readTextFile(bytes: Buffer): FileSheet[] {
  const lines = linesOf(decoded(bytes));
  const [, stated] = /^sep=(.)$/i.exec(lines[0]?.trim() ?? '') ?? [];
  const start = stated === undefined ? 0 : 1;
  const delimiter = stated ?? delimiterOf(lines.slice(0, linesOfDelimiter));
  return [{ isHidden: false, rows: () => rowsOf(lines, delimiter, start) }];
}

function decoded(bytes: Buffer): string {
  try {
    return decodeFile(bytes);
  } catch (error) {
    if (error instanceof UnreadableStatement)
      throw new UnreadableFile('The file must be a text file (CSV or TSV) or an XLSX file.');
    throw error;
  }
}

/**
 * Returns the delimiter that divides most rows into the same number of cells, and into the most. Decimal commas and commas in
 * names also divide rows, but not the heading, and not all rows equally.
 */
function delimiterOf(lines: readonly string[]): string {
  const sizes = delimiters.map((delimiter) => {
    const rows = new Map<number, number>();
    for (const { cells } of rowsFrom(lines, delimiter, 0))
      rows.set(cells.length, (rows.get(cells.length) ?? 0) + 1);
    return { delimiter, size: Math.max(...[...rows].map(([width, count]) => (width - 1) * count)) };
  });
  return sizes.toSorted((one, other) => other.size - one.size)[0]?.delimiter ?? ',';
}

async function* rowsOf(
  lines: readonly string[],
  delimiter: string,
  start: number,
): AsyncGenerator<readonly FileRow[]> {
  let group: FileRow[] = [];
  for (const row of rowsFrom(lines, delimiter, start)) {
    if (row.cells.every((cell) => cell === '')) continue;
    group.push(row);
    if (group.length < rowsAtOnce) continue;
    yield group;
    group = [];
  }
  yield group;
}

/** Reads rows whose quoted cells may contain line breaks, as long as no line of them is as wide as the rows before. */
function* rowsFrom(lines: readonly string[], delimiter: string, start: number): Generator<FileRow> {
  let width = 0;
  const isRow = (cells: readonly string[]) => width > 1 && cells.length === width;
  for (const { line, cells } of csvRows(lines, delimiter, {
    start,
    width: Number.POSITIVE_INFINITY,
    isRow,
  })) {
    width = Math.max(width, cells.length);
    yield { row: line, cells: cells.map(withoutGuard) };
  }
}

/** Removes the characters with which exports keep spreadsheets from changing a text: `="0012"` and `'0012`. */
const withoutGuard = (cell: string): string => {
  const text = cell.trim();
  const [, guarded] = /^="([^"]*)"$/.exec(text) ?? /^'([\d=+@-].*)$/.exec(text) ?? [];
  return guarded ?? text;
};
