import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ResidualRow } from './residual-row.ts';

/** The largest compressed rows of an item in bytes, for numbers of many digits. As base64, they are 80 KB. */
const largestChunk = 60_000;
/** The bytes of the texts of a row, and of each number of 16 digits, after the compression. */
const bytesOfTexts = 300;
const bytesOfNumber = 9;
const mostInChunk = 500;

/**
 * Returns the number of rows of a chunk. It depends only on the number of fees of the format, so that a repeated step
 * writes the same chunks.
 */
export const rowsPerChunk = (fees: number): number =>
  Math.max(1, Math.min(mostInChunk, Math.floor(largestChunk / (bytesOfTexts + bytesOfNumber * (fees + 6)))));

const numbers = ['count', 'volume', 'income', 'expense'] as const;

/** Compresses rows to base64. The names of fees and sheets are stored once for all of them. */
export function packRows(rows: readonly ResidualRow[]): string {
  const fees = [...new Set(rows.flatMap(({ fees: own = {} }) => Object.keys(own)))];
  const sheets = [...new Set(rows.flatMap(({ sheet }) => sheet ?? []))];
  const lines = rows.map((row) => [
    ...[row.place, row.sheet === undefined ? null : sheets.indexOf(row.sheet), row.sheetRow ?? null],
    ...[row.mid, row.dba ?? null, row.net],
    ...numbers.map((name) => row[name] ?? null),
    ...fees.map((name) => row.fees?.[name] ?? null),
  ]);
  return deflateRawSync(JSON.stringify({ fees, sheets, lines })).toString('base64');
}

type Line = [
  place: number,
  sheet: number | null,
  sheetRow: number | null,
  mid: string,
  dba: string | null,
  net: number,
  ...values: (number | null)[],
];

/** Returns the rows that `packRows` compressed. */
export function unpackRows(packed: string): ResidualRow[] {
  const { fees, sheets, lines } = JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString()) as {
    fees: string[];
    sheets: string[];
    lines: Line[];
  };
  return lines.map(([place, sheet, sheetRow, mid, dba, net, ...values]) => {
    const row: ResidualRow = { place, mid, net };
    if (sheet !== null) row.sheet = sheets[sheet] ?? '';
    if (sheetRow !== null) row.sheetRow = sheetRow;
    if (dba !== null) row.dba = dba;
    for (const [n, name] of numbers.entries()) {
      const value = values[n] ?? null;
      if (value !== null) row[name] = value;
    }
    const named = fees.flatMap((name, n) => {
      const value = values[numbers.length + n] ?? null;
      return value === null ? [] : [[name, value] as const];
    });
    if (named.length > 0) row.fees = Object.fromEntries(named);
    return row;
  });
}
