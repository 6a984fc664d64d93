import { commitInLanes, untilCommitted } from '../../endpoints/commit-in-lanes.ts';
import type { CommitsParts } from '../../endpoints/commits-parts.ts';
import { ApiError, invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { Write } from '../../table/operations.ts';
import type { Authored } from '../../table/revise.ts';
import type { BankAccountFields } from '../bank-accounts/schema.ts';
import { recordPayment } from '../change-invoice.ts';
import { changesWrites } from '../change-writes.ts';
import { currencyCodes } from '../currencies.ts';
import { paymentRecorded } from '../events.ts';
import { idsOfInvoiceNumbers } from '../numbers.ts';
import { mentionsIn } from '../read-number.ts';
import type { Invoice } from '../schema.ts';
import { invoices } from '../store.ts';
import { referencesOf } from './identity.ts';
import {
  dayName,
  daysOf,
  importedDays,
  isImported,
  recordedDays,
  type StatementDays,
} from './imported-days.ts';
import {
  type EntryMatch,
  idsNamed,
  invoicesNamed,
  isPayable,
  isSimilar,
  matchEntry,
  type Named,
  numbersIn,
  type Payable,
  type Share,
} from './match-entry.ts';
import { readBankFile } from './read-bank-file.ts';
import { findReversed, type ReversedPayment } from './reversed-payment.ts';
import {
  type BankStatement,
  type BankStatementResult,
  type ImportedTransaction,
  type ImportReason,
  mostTransactions,
} from './schema.ts';
import {
  type BankEntry,
  isUnreadRow,
  type ReadingOptions,
  type ReadStatement,
  type StatementRow,
  UnreadableStatement,
  type UnreadRow,
} from './statement.ts';

/**
 * Reads the statement of a request, with what is stored for its bank account. Throws `invalid_input` for a file that
 * cannot be read, that does not agree with its balances, or that has too many transactions.
 */
export function readSent(request: BankStatement, stored?: BankAccountFields): ReadStatement {
  const text = request.statement ?? request.csv;
  if (text === undefined) throw invalid('statement', 'is required');
  const field = request.statement === undefined ? 'csv' : 'statement';
  try {
    const statement = readBankFile(text, { currency: 'USD', ...styleOf(request, stored) });
    if (rowsOf(statement).length > mostTransactions)
      throw new UnreadableStatement(`must have at most ${mostTransactions} transactions`);
    return statement;
  } catch (error) {
    if (error instanceof UnreadableStatement) throw invalid(field, error.message);
    throw error;
  }
}

/** Returns how to read the file of a request. The options of the request replace the stored ones of its bank account. */
export function styleOf(
  request: Partial<ReadingOptions>,
  stored: Partial<ReadingOptions> = {},
): Partial<ReadingOptions> {
  const { currency, dates, decimals, columns } = { ...stored, ...request };
  return {
    ...(currency !== undefined && { currency }),
    ...(dates !== undefined && { dates }),
    ...(decimals !== undefined && { decimals }),
    ...(columns !== undefined && { columns }),
  };
}

/** Returns the bank account that reads further files as this one was read. */
export function suggestionOf({ parts, style }: ReadStatement, id?: string): BankAccountFields {
  const [{ account = '', currency = '' } = {}] = parts;
  const digits = account.replace(/[^\p{L}\p{N}]/gu, '').slice(-4);
  return {
    name: id ?? (digits === '' ? 'Bank account' : `Bank account ${digits}`),
    currency: currencyCodes.includes(currency) ? currency : 'USD',
    ...style,
  };
}

const rowsOf = ({ parts }: ReadStatement): StatementRow[] => parts.flatMap(({ rows }) => rows);

/** The request or the job that imports a statement. */
export interface Importer extends Pick<CommitsParts, 'commit' | 'errorOf'>, Authored {
  account: AccountId;
  deadline: number;
  /** Returns more writes of the transaction that records a payment. They store the result of the row at `place`. */
  resultWrites?(place: number, result: ImportedTransaction): Write[];
}

/** A statement whose transactions have their references. */
export interface PreparedStatement {
  rows: readonly (UnreadRow | Named)[];
  /** The rows that were read. */
  entries: readonly Named[];
  references: ReadonlySet<string>;
  days: StatementDays;
}

export function prepareStatement(statement: ReadStatement): PreparedStatement {
  const { parts } = statement;
  const read = parts.flatMap((part) => part.rows.map((row) => ({ ...row, account: part.account })));
  const references = referencesOf(entriesIn(read));
  let found = 0;
  const rows = read.map((row, place) =>
    isUnreadRow(row)
      ? row
      : { ...row, place, reference: references[found++] ?? '', mentions: mentionsIn(row.text) },
  );
  return { rows, entries: entriesIn(rows), references: new Set(references), days: daysOf(statement) };
}

const entriesIn = <R extends StatementRow>(rows: readonly R[]): Exclude<R, UnreadRow>[] =>
  rows.filter((row): row is Exclude<R, UnreadRow> => !isUnreadRow(row));

/** Some rows of a statement, in order of the file. */
interface RowsToImport {
  statement: PreparedStatement;
  /** The places of the rows. */
  places: readonly number[];
  /** How many of the transactions before `places` with a `similarKey` were reported as probable duplicates. */
  similar: Map<string, number>;
}

/**
 * Records the payments of the transactions that `matchEntry` finds. Each transaction has a table transaction of its own,
 * so that a failure does not affect the others. A repeated import finds the references of the first one, and records
 * nothing twice.
 */
export async function importStatement(
  importer: Importer,
  statement: ReadStatement,
): Promise<BankStatementResult> {
  const prepared = prepareStatement(statement);
  const places = [...prepared.rows.keys()];
  const results = await importStatementRows(importer, { statement: prepared, places, similar: new Map() });
  return summed(
    statement,
    results.sort((one, other) => one.line - other.line),
  );
}

/** Imports some rows of a statement. Returns their results in the order of `places`. */
export async function importStatementRows(
  importer: Importer,
  { statement, places, similar }: RowsToImport,
): Promise<ImportedTransaction[]> {
  const { references } = statement;
  const { account } = importer;
  const rows = places.flatMap((place) => statement.rows[place] ?? []);
  const entries = entriesIn(rows);
  const named = entries.filter(isPayable);
  const numbers = numbersIn(named);
  const days = daysWith(named, statement.days);
  const [ids, imported] = await inParallel([
    idsOfInvoiceNumbers(account, numbers),
    numbers.length === 0 ? [] : importedDays(account, days),
  ]);
  const importedNames = new Set(
    [...days].flatMap(([name, day]) => (isImported(day, imported) ? [name] : [])),
  );
  const run: Run = { importer, ids, references, similar, importedDays: importedNames };
  const results = new Map<number, ImportedTransaction>();
  // Transactions about the same invoice are matched one after the other, in the order of the statement.
  await commitInLanes<readonly Named[], void>(groupedByInvoice(named, ids), importer.deadline, {
    late(group) {
      for (const { place, line } of group)
        results.set(place, { line, result: 'failed', reason: 'out_of_time' });
    },
    async run(group, _, shards) {
      await importGroup(run, group, shards, results);
    },
  });
  const booked = bookedDays(named, results);
  const recorded = [...days].flatMap(([name, day]) => (booked.has(name) ? [day] : []));
  await recordDays(importer, recordedDays(account, recorded, imported));
  const reversed = await findReversed(account, entries, statement.entries);
  return rows.map((row): ImportedTransaction => {
    if (isUnreadRow(row)) {
      const { line, reason, amount } = row;
      return { line, result: 'unmatched', reason, ...(amount !== undefined && { amount }) };
    }
    return results.get(row.place) ?? otherEntry(row, reversed.get(row));
  });
}

/** Returns the result of a transaction that is not a payment. */
const otherEntry = (entry: Named, reversed: ReversedPayment | undefined): ImportedTransaction => ({
  ...unmatchedEntry(entry, entry.held ?? (entry.reverses ? 'reversal' : 'not_incoming')),
  ...(reversed && { ...shownShares(reversed.shares), reversedPayment: reversed.reference }),
});

/** Returns the days with these transactions. */
function daysWith(entries: readonly Named[], days: StatementDays): StatementDays {
  const names = new Set(entries.map(dayName));
  return new Map([...days].filter(([name]) => names.has(name)));
}

type Results = Map<number, ImportedTransaction>;

/** The days with a payment, and without a transaction that is to be sent again. */
function bookedDays(entries: readonly Named[], results: Results): Set<string> {
  const namesOf = (...wanted: readonly ImportedTransaction['result'][]) =>
    entries.flatMap((entry) => {
      const result = results.get(entry.place)?.result;
      return result && wanted.includes(result) ? dayName(entry) : [];
    });
  const booked = new Set(namesOf('matched', 'duplicate'));
  for (const day of namesOf('failed')) booked.delete(day);
  return booked;
}

/** The most days of one transaction. */
const mostDays = 50;

/** Commits the days. If the table is busy, later imports still find the payments of the same day and amount. */
async function recordDays(importer: Importer, writes: readonly Write[]): Promise<void> {
  for (let at = 0; at < writes.length; at += mostDays)
    try {
      await untilCommitted(importer.deadline, [], (options) =>
        importer.commit(writes.slice(at, at + mostDays), [], options),
      );
    } catch (error) {
      if (importer.errorOf(error) !== 'busy') throw error;
    }
}

const unmatchedEntry = ({ line, amount, day }: BankEntry, reason: ImportReason): ImportedTransaction => ({
  ...{ line, result: 'unmatched', reason, amount, paidOn: day },
});

function summed(
  { format, skipped }: ReadStatement,
  transactions: ImportedTransaction[],
): BankStatementResult {
  const countOf = (wanted: ImportedTransaction['result']) =>
    transactions.filter(({ result }) => result === wanted).length;
  return {
    format,
    matched: countOf('matched'),
    duplicates: countOf('duplicate'),
    unmatched: countOf('unmatched'),
    failed: countOf('failed'),
    skipped,
    transactions,
  };
}

/** Returns groups of transactions such that no two groups name the same invoice. */
function groupedByInvoice(entries: readonly Named[], ids: ReadonlyMap<string, number>): Named[][] {
  const groups = new Map<number, Named[]>();
  const alone: Named[][] = [];
  const idsOf = (entry: Named) => idsNamed(entry, ids);
  for (const entry of entries) {
    const named = idsOf(entry);
    const group = [...new Set([...named.flatMap((id) => groups.get(id) ?? []), entry])];
    if (named.length === 0) alone.push(group);
    for (const id of group.flatMap(idsOf)) groups.set(id, group);
  }
  return [...new Set(groups.values()), ...alone];
}

/** Reasons that another payment of the invoice can change, because it changes the amount due. */
const changing: readonly (ImportReason | undefined)[] = ['amount_differs', 'several_invoices', 'reversal'];

/**
 * Imports transactions about the same invoices. A transaction that was tried before another one was recorded is tried
 * again, so that a repeated statement finds no new match.
 */
async function importGroup(
  run: Run,
  group: readonly Named[],
  shards: readonly number[],
  results: Results,
): Promise<void> {
  // In the order of the last attempts.
  const done = new Map<Named, ImportedTransaction>();
  for (let waiting = group; waiting.length > 0; ) {
    for (const entry of waiting) {
      const transaction = await importEntry(run, entry, shards);
      done.delete(entry);
      done.set(entry, transaction);
      // The reason of the first attempt is that at the place of the transaction in the statement.
      if (transaction.result !== 'unmatched' || !results.has(entry.place))
        results.set(entry.place, transaction);
    }
    const tried = [...done];
    const last = tried.findLastIndex(([, { result }]) => result === 'matched');
    const again = new Set(
      tried
        .slice(0, Math.max(last, 0))
        .flatMap(([entry, { reason }]) => (changing.includes(reason) ? entry : [])),
    );
    waiting = group.filter((entry) => again.has(entry));
  }
}

/** The values that all transactions of an import share. */
interface Run {
  importer: Importer;
  ids: ReadonlyMap<string, number>;
  /** The references of all transactions of the statement. */
  references: ReadonlySet<string>;
  /** How many transactions of an invoice, a day and an amount were reported as probable duplicates. */
  similar: Map<string, number>;
  /** The days that were imported in another format. */
  importedDays: ReadonlySet<string>;
}

async function importEntry(run: Run, entry: Named, shards: readonly number[]): Promise<ImportedTransaction> {
  const { importer, ids } = run;
  const named = invoicesNamed(entry.mentions, ids);
  if (typeof named === 'string') return unmatchedEntry(entry, entry.reverses ? 'reversal' : named);
  try {
    return await untilCommitted(importer.deadline, shards, async (options) => {
      const before = await Promise.all(named.map((id) => invoices.get(importer.account, id)));
      const match = matchOf(run, entry, before);
      if (match.result === 'unmatched') {
        const { invoice } = match;
        const isDuplicate = match.reason === 'probable_duplicate';
        const reason = entry.reverses && !isDuplicate ? 'reversal' : match.reason;
        if (isDuplicate) countSimilar(run, entry);
        return {
          ...unmatchedEntry(entry, reason),
          ...(invoice && { invoiceId: invoice.id, invoiceNumber: invoice.number }),
          ...(invoice && reason === 'amount_differs' && { amountDue: invoice.amountDue }),
        };
      }
      const shown = { ...unmatchedEntry(entry, 'no_number'), ...shownShares(match.shares) };
      delete shown.reason;
      if (match.result === 'duplicate') return { ...shown, result: 'duplicate' };
      const paid = match.shares.map(({ invoice, amount }) => ({
        invoice,
        ...recordPayment(invoice, paymentOf(entry, amount), importer),
      }));
      const changes = paid.flatMap(({ invoice, change }) => (change ? [{ before: invoice, ...change }] : []));
      const events = paid.flatMap(({ change, entry: payment }) =>
        change ? paymentRecorded(change.after, payment) : [],
      );
      const [first] = changes;
      const remaining = changes.length === 1 ? (first?.after.amountDue ?? 0) : 0;
      const result: ImportedTransaction = {
        ...{ ...shown, result: 'matched' },
        ...(remaining > 0 && { amountDue: remaining }),
      };
      const writes = changesWrites(changes, importer.now);
      const ofResult = importer.resultWrites?.(entry.place, result) ?? [];
      await importer.commit([...writes, ...ofResult], events, options);
      return result;
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invoice_full')
      return unmatchedEntry(entry, 'invoice_full');
    if (importer.errorOf(error) !== 'busy') throw error;
    return { line: entry.line, result: 'failed', reason: 'busy' };
  }
}

/** Matches a transaction. A day that was imported in another format has only probable duplicates. */
function matchOf(run: Run, entry: Named, invoices: readonly Invoice[]): EntryMatch {
  const match = matchEntry(entry, entry.mentions, invoices, (shares) => isProbable(run, entry, shares));
  if (match.result !== 'matched' || !run.importedDays.has(dayName(entry))) return match;
  const [invoice, ...others] = invoices;
  return {
    ...{ result: 'unmatched', reason: 'probable_duplicate' },
    ...(invoice && others.length === 0 && { invoice }),
  };
}

const paymentOf = ({ reference, day }: Payable, amount: number) => ({
  ...{ amount, method: 'bank_transfer' as const, reference, paidOn: day },
});

function shownShares(shares: readonly Share[]): Partial<ImportedTransaction> {
  const all = shares.map(({ invoice: { id: invoiceId, number: invoiceNumber = '' }, amount }) => ({
    ...{ invoiceId, invoiceNumber, amount },
  }));
  const [only, ...others] = all;
  if (others.length > 0) return { invoices: all };
  return only ? { invoiceId: only.invoiceId, invoiceNumber: only.invoiceNumber } : {};
}

/** Identifies the transactions that may be the same payment of an invoice. */
export const similarKey = ({ day, amount, mentions }: Pick<Named, 'day' | 'amount' | 'mentions'>): string =>
  JSON.stringify([day, amount, mentions.map(({ numbers }) => numbers)]);

function countSimilar({ similar }: Run, entry: Named): void {
  const key = similarKey(entry);
  similar.set(key, (similar.get(key) ?? 0) + 1);
}

/**
 * Reports whether each invoice has more payments of this day and amount from elsewhere than transactions of this
 * statement that were already taken for them.
 */
function isProbable({ references, similar }: Run, entry: Named, shares: readonly Share[]): boolean {
  const taken = similar.get(similarKey(entry)) ?? 0;
  const fromElsewhere = (invoice: Invoice, amount: number) =>
    invoice.payments.filter(
      (payment) => !references.has(payment.reference) && isSimilar(payment, { day: entry.day, amount }),
    ).length;
  return shares.length > 0 && shares.every(({ invoice, amount }) => fromElsewhere(invoice, amount) > taken);
}
