import { neutralCell } from '../../neutral-cells.ts';

/** The columns of a CSV file of payments, in this order. */
const columns = [
  'entry',
  'month',
  'statement',
  'name',
  'holder_type',
  'routing_number',
  'account_number',
  'account_type',
  'amount',
  'currency',
  'effective_date',
] as const;

type PayoutRow = Record<(typeof columns)[number], string>;

const quoted = (cell: string): string => `"${neutralCell(cell).replaceAll('"', '""')}"`;

const lineOf = (cells: readonly string[]): string => cells.map(quoted).join(',');

/**
 * Returns a CSV file in UTF-8, with a byte order mark and CRLF (RFC 4180). A spreadsheet evaluates no cell as a formula. Equal
 * rows give equal bytes.
 */
export const writePayoutCsv = (rows: readonly PayoutRow[]): string =>
  `\ufeff${[lineOf(columns), ...rows.map((row) => lineOf(columns.map((name) => row[name])))].join('\r\n')}\r\n`;
