import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { neutralCell } from '../../../shared/neutral-cells.ts';
import { describeError, type RowError } from './build-body.ts';
import { encoded } from './encodings.ts';
import type { Row, SourceFormat } from './read-rows.ts';
import { addedColumns } from './rejected-columns.ts';

export const rejectedPath = (input: string): string => `${input}.rejected.csv`;

/** The text of a value in a cell. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/**
 * Writes rejected rows with their reason to a file that users can correct in a spreadsheet and import. The file has the
 * format and the columns of the source. In Unicode, it begins with a byte order mark, because Excel reads a file without
 * one as Windows-1252. A spreadsheet evaluates no cell of the file as a formula. Removes the file of an earlier run.
 */
export function rejectedRows(
  input: string,
  columns: readonly string[],
  {
    encoding = 'utf-8',
    delimiter = ',',
    lineBreak = '\n',
    hasSeparatorLine = false,
  }: Partial<SourceFormat> = {},
): {
  add(row: Row, errors: readonly RowError[]): void;
  close(): number;
} {
  const path = rejectedPath(input);
  rmSync(path, { force: true });
  let file: number | undefined;
  let count = 0;
  const cell = (value: unknown): string => {
    const text = neutralCell(textOf(value));
    return /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lineOf = (cells: readonly unknown[]): string => `${cells.map(cell).join(delimiter)}${lineBreak}`;
  const start = (): string => {
    const mark = encoding === 'windows-1252' ? '' : '\ufeff';
    const separator = hasSeparatorLine ? `sep=${delimiter}${lineBreak}` : '';
    return `${mark}${separator}${lineOf([...addedColumns, ...columns])}`;
  };
  return {
    add({ line, values, cells }, errors) {
      const isFirst = file === undefined;
      file ??= openSync(path, 'wx', 0o600);
      count += 1;
      const reason = errors.map((error) => describeError(error).replace(/^line \d+(?:, |: )/, '')).join('; ');
      const own = cells ?? columns.map((column) => values[column]);
      const missing = columns.slice(own.length).map(() => '');
      const text = lineOf([String(line), reason, ...own, ...missing]);
      writeSync(file, encoded(`${isFirst ? start() : ''}${text}`, encoding));
    },
    close() {
      if (file !== undefined) closeSync(file);
      return count;
    },
  };
}
