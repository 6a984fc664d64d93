/** The formats of bank statements. The content of a file decides which one it has, never its name. */
export const statementFormats = ['csv', 'mt940', 'camt053', 'ofx', 'bai2'] as const;
export type StatementFormat = (typeof statementFormats)[number];

/** A file that cannot be read as a statement. The message is a rule, such as `must have a header`. */
export class UnreadableStatement extends Error {}

/** Why a row of a statement is not a transaction that can be recorded. */
export const unreadReasons = [
  'amount_unreadable',
  'date_unreadable',
  'currency_unknown',
  'direction_unknown',
  'columns_differ',
  'status_unknown',
] as const;
export type UnreadReason = (typeof unreadReasons)[number];

/** Why a readable transaction is not a payment, although money came in. */
export const heldReasons = ['pending', 'reversal', 'correction'] as const;
export type HeldReason = (typeof heldReasons)[number];

/** A transaction of an account, as plain data. */
export interface BankEntry {
  /** The line of the file on which the transaction starts, from 1. */
  line: number;
  /** The day of the booking, as the bank writes it: `2026-03-02`. */
  day: string;
  /** In the smallest unit of the currency. Positive if the money came in. */
  amount: number;
  currency: string;
  /** All texts of the transaction, in which invoice numbers are searched. */
  text: string;
  /** The texts by which the bank describes the transaction, without the columns that a spreadsheet may add. */
  description: string;
  /** The bank’s own id of the transaction; empty if the file has none. */
  bankReference: string;
  held?: HeldReason;
  /** True if the transaction reverses an earlier one. Its amount has the direction of the reversal. */
  reverses?: true;
}

/** A row that cannot be read. `amount` is set if at least the amount is readable. */
export interface UnreadRow {
  line: number;
  reason: UnreadReason;
  amount?: number;
}

export type StatementRow = BankEntry | UnreadRow;

export const isUnreadRow = (row: StatementRow): row is UnreadRow => 'reason' in row;

/** The transactions of one account between two balances. */
export interface StatementPart {
  /** As the file writes it; empty if the file does not name the account. */
  account: string;
  currency: string;
  /** In the smallest unit of the currency. */
  opening?: number;
  closing?: number;
  rows: readonly StatementRow[];
}

/** A statement as its format’s reader returns it. */
export interface ReadStatement {
  format: StatementFormat;
  parts: readonly StatementPart[];
  /** The rows without a transaction: titles, totals and empty rows. */
  skipped: number;
  /** How a CSV file was read. With these options, it is read in the same way. */
  style?: FileStyle;
}

/** How a bank writes its files, where the content does not show it. */
interface FileStyle {
  decimals?: DecimalStyle;
  dates?: DayOrder;
  columns?: ColumnMapping;
}

export interface ReadingOptions extends FileStyle {
  /** The currency of amounts without one. */
  currency: string;
}

export type DecimalStyle = 'point' | 'comma';
export type DayOrder = 'ymd' | 'dmy' | 'mdy';

/** The parts of a transaction that columns of a CSV file contain. */
export const columnRoles = [
  'date',
  'amount',
  'debit',
  'credit',
  'direction',
  'currency',
  'description',
  'reference',
  'account',
  'status',
] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** The headers of the columns, by their meaning. */
export type ColumnMapping = { [R in Exclude<ColumnRole, 'description'>]?: string } & {
  description?: string[];
};
