import { createHash } from 'node:crypto';
import { CsvError, parse } from 'csv-parse/sync';
import { commitInLanes, untilCommitted } from '../endpoints/commit-in-lanes.ts';
import type { CommitsParts } from '../endpoints/commits-parts.ts';
import { ApiError, invalid } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import {
  array,
  integer,
  multilineText,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
} from '../schema.ts';
import type { Authored } from '../table/revise.ts';
import { recordPayment } from './change-invoice.ts';
import { changeWrites } from './change-writes.ts';
import { amountOf } from './currencies.ts';
import { paymentRecorded } from './events.ts';
import { idsOfInvoiceNumbers, invoiceNumbersIn } from './numbers.ts';
import { currency, type Invoice } from './schema.ts';
import { invoices } from './store.ts';

/** The most transactions of one request. */
const mostRows = 200;

export const BankStatement = object({
  csv: multilineText({
    minLength: 1,
    maxLength: 65_536,
    description: `The statement as CSV with a header and at most ${mostRows} transactions. The column \`amount\` is required. The columns \`date\` (such as 2026-03-01) and \`currency\` are optional. The invoice number is found in any column.`,
    examples: ['date,amount,description\n2026-03-02,270.63,INV-000042 Harbor Street\n'],
  }),
  currency: optional(currency),
});
export type BankStatement = Static<typeof BankStatement>;

const results = ['matched', 'duplicate', 'unmatched', 'failed'] as const;
const reasons = [
  'not_incoming',
  'amount_unreadable',
  'no_number',
  'unknown_number',
  'several_invoices',
  'other_currency',
  'amount_differs',
  'invoice_not_open',
  'invoice_full',
  'busy',
  'out_of_time',
] as const;
type Reason = (typeof reasons)[number];

const Transaction = object({
  line: integer({
    description: 'The line of the CSV on which the transaction starts, from 1.',
    examples: [2],
  }),
  result: oneOf(results, {
    description:
      '`duplicate`: an earlier import recorded the payment. `unmatched`: record the payment by hand, or ignore it. `failed`: send the statement again.',
  }),
  reason: optional(oneOf(reasons)),
  amount: optional(integer({ description: 'In the smallest unit of the currency.', examples: [27_063] })),
  amountDue: optional(
    integer({ description: 'Of the invoice, if the reason is `amount_differs`.', examples: [27_000] }),
  ),
  invoiceId: optional(recordId()),
  invoiceNumber: optional(string({ examples: ['INV-000042'] })),
});
type Transaction = Static<typeof Transaction>;

const count = () => integer({ minimum: 0, examples: [1] });

export const BankStatementResult = object({
  matched: count(),
  duplicates: count(),
  unmatched: count(),
  failed: count(),
  transactions: array(Transaction),
});
export type BankStatementResult = Static<typeof BankStatementResult>;

/** A transaction of a statement. */
interface BankRow {
  line: number;
  text: string;
  amount: number | undefined;
  currency: string;
  paidOn?: string;
  /** Derived from the cells, so that the same transaction has the same reference in every import. */
  reference: string;
}

const delimiterOf = (csv: string): string => {
  const [header = ''] = csv.split('\n');
  return [',', ';', '\t'].reduce((best, one) =>
    header.split(one).length > header.split(best).length ? one : best,
  );
};

/** Parses a statement. Throws `invalid_input` for text that is not CSV, without an amount, or with too many rows. */
export function readBankStatement({ csv, currency: usual = 'USD' }: BankStatement): BankRow[] {
  const rows = parsedRows(csv);
  const names = (rows[0]?.record ?? []).map((name) => name.trim().toLowerCase());
  const at = (name: string) => names.indexOf(name);
  if (at('amount') < 0) throw invalid('csv', 'must have a header with the column amount');
  if (rows.length > mostRows + 1) throw invalid('csv', `must have at most ${mostRows} transactions`);
  const seen = new Map<string, number>();
  return rows.slice(1).map(({ record, info }) => {
    const cell = (name: string) => record[at(name)]?.trim() ?? '';
    const identity = JSON.stringify(record.map((one) => one.trim()));
    const occurrence = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, occurrence);
    const of = cell('currency').toUpperCase() || usual;
    const [day] = /^\d{4}-\d\d-\d\d$/.exec(cell('date')) ?? [];
    return {
      line: info.lines,
      text: record.join(' '),
      amount: amountOf(cell('amount'), of),
      currency: of,
      ...(day !== undefined && !Number.isNaN(Date.parse(day)) && { paidOn: day }),
      reference: `bank:${createHash('sha256').update(`${occurrence} ${identity}`).digest('hex').slice(0, 40)}`,
    };
  });
}

interface ParsedRow {
  record: string[];
  info: { lines: number };
}

function parsedRows(csv: string): ParsedRow[] {
  try {
    return parse(csv, {
      ...{ bom: true, info: true, skip_empty_lines: true, skip_records_with_empty_values: true },
      delimiter: delimiterOf(csv),
    }) as unknown as ParsedRow[];
  } catch (error) {
    if (error instanceof CsvError) throw invalid('csv', `must be CSV: ${error.message.slice(0, 200)}`);
    throw error;
  }
}

type Importer = CommitsParts & Authored & { account: AccountId; deadline: number };

/**
 * Records the payment of each transaction that names one open invoice and has exactly its amount due. Each payment has a
 * transaction of its own, so that a failure does not affect the others. A repeated import finds the references of the
 * first one, and records nothing twice.
 */
export async function importBankStatement(
  importer: Importer,
  rows: readonly BankRow[],
): Promise<BankStatementResult> {
  const numbers = [...new Set(rows.flatMap(({ text }) => invoiceNumbersIn(text)))];
  const ids = await idsOfInvoiceNumbers(importer.account, numbers);
  // Transactions about the same invoice are matched one after the other, in the order of the statement.
  const groups = [...groupedByInvoice(rows).values()];
  const found = await commitInLanes<readonly BankRow[], Transaction[]>(groups, importer.deadline, {
    late: (group) => group.map(({ line }) => ({ line, result: 'failed', reason: 'out_of_time' })),
    async run(group, _, shards) {
      const transactions: Transaction[] = [];
      for (const row of group) transactions.push(await importRow(importer, row, ids, shards));
      return transactions;
    },
  });
  const transactions = found.flat().sort((one, other) => one.line - other.line);
  const countOf = (wanted: Transaction['result']) =>
    transactions.filter(({ result }) => result === wanted).length;
  return {
    matched: countOf('matched'),
    duplicates: countOf('duplicate'),
    unmatched: countOf('unmatched'),
    failed: countOf('failed'),
    transactions,
  };
}

function groupedByInvoice(rows: readonly BankRow[]): Map<string, BankRow[]> {
  const groups = new Map<string, BankRow[]>();
  for (const row of rows) {
    const key = invoiceNumbersIn(row.text).join(' ') || `line ${row.line}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

async function importRow(
  importer: Importer,
  row: BankRow,
  ids: ReadonlyMap<string, number>,
  shards: readonly number[],
): Promise<Transaction> {
  const { line, amount } = row;
  const unmatched = (reason: Reason, more: Partial<Transaction> = {}): Transaction => ({
    ...{ line, result: 'unmatched', reason },
    ...(amount !== undefined && { amount }),
    ...more,
  });
  if (amount === undefined) return unmatched('amount_unreadable');
  if (amount <= 0) return unmatched('not_incoming');
  const numbers = invoiceNumbersIn(row.text);
  if (numbers.length === 0) return unmatched('no_number');
  const known = numbers.flatMap((number) => ids.get(number) ?? []);
  const [id] = known;
  if (id === undefined) return unmatched('unknown_number');
  if (known.length > 1) return unmatched('several_invoices');
  try {
    return await untilCommitted(importer.deadline, shards, async (options) => {
      const before = await invoices.get(importer.account, id);
      const named = { amount, invoiceId: id, invoiceNumber: before.number };
      const refusal = refusalOf(before, row, amount);
      if (refusal)
        return unmatched(refusal, {
          ...named,
          ...(refusal === 'amount_differs' && { amountDue: before.amountDue }),
        });
      const payment = {
        amount,
        method: 'bank_transfer' as const,
        reference: row.reference,
        ...(row.paidOn && { paidOn: row.paidOn }),
      };
      const { entry, change } = recordPayment(before, payment, importer);
      if (!change) return { line, result: 'duplicate', ...named };
      await importer.commit(
        changeWrites(before, change, importer.now),
        paymentRecorded(change.after, entry),
        options,
      );
      return { line, result: 'matched', ...named };
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invoice_full') return unmatched('invoice_full');
    if (importer.errorOf(error) !== 'busy') throw error;
    return { line, result: 'failed', reason: 'busy' };
  }
}

/** Returns why a transaction is not the payment of an invoice. Undefined if it is, or if it was recorded before. */
function refusalOf(before: Invoice, row: BankRow, amount: number): Reason | undefined {
  if (before.payments.some(({ reference }) => reference === row.reference)) return undefined;
  if (before.currency !== row.currency) return 'other_currency';
  if (before.status !== 'open') return 'invoice_not_open';
  return before.amountDue === amount ? undefined : 'amount_differs';
}
