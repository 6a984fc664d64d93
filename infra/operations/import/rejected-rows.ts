import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { describeError, type RowError } from './build-body.ts';
import { addedColumns, isRejectedFile, neutralCell } from './neutral-cells.ts';
import type { Row } from './read-rows.ts';

export const rejectedPath = (input: string): string => `${input}.rejected.csv`;

const cell = (value: unknown): string => {
  const text = neutralCell(
    typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value),
  );
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * Writes rejected rows with their reason to a file that users can correct and import. A spreadsheet evaluates no cell of
 * the file as a formula. Removes the file of an earlier run.
 */
export function rejectedRows(
  input: string,
  columns: readonly string[],
): {
  add(row: Row, errors: readonly RowError[]): void;
  close(): number;
} {
  const path = rejectedPath(input);
  const own = isRejectedFile(columns) ? columns.slice(addedColumns.length) : columns;
  rmSync(path, { force: true });
  let file: number | undefined;
  let count = 0;
  return {
    add({ line, values }, errors) {
      const write = (cells: readonly unknown[]) =>
        void writeSync(file ?? 0, `${cells.map(cell).join(',')}\n`);
      if (file === undefined) {
        file = openSync(path, 'w', 0o600);
        write([...addedColumns, ...own]);
      }
      count += 1;
      const reason = errors.map((error) => describeError(error).replace(/^line \d+(?:, |: )/, '')).join('; ');
      write([String(line), reason, ...own.map((column) => values[column])]);
    },
    close() {
      if (file !== undefined) closeSync(file);
      return count;
    },
  };
}
