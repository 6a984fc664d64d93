import { commitInLanes, untilCommitted } from '../../endpoints/commit-in-lanes.ts';
import type { CommitsParts } from '../../endpoints/commits-parts.ts';
import { invalid } from '../../errors.ts';
import type { CommitOptions } from '../../events/outbox.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import type { Write } from '../../table/operations.ts';
import type { Authored } from '../../table/revise.ts';
import { beneficiaryKey } from '../amounts/beneficiary.ts';
import { UnreadableAchFile } from '../nacha/read-ach-records.ts';
import {
  type AchChange,
  type AchReturn,
  type ReturnItem,
  readReturnFile,
} from '../nacha/read-return-file.ts';
import { payoutAccountChanged } from '../payout-accounts/events.ts';
import { payoutAccounts, type StoredPayoutAccount } from '../payout-accounts/store.ts';
import { type Balances, balanceWrites } from '../runs/month-sums.ts';
import type { StoredStatement } from '../statements/schema.ts';
import { residualStatements } from '../statements/store.ts';
import { type Correction, correctAccount } from './correct-account.ts';
import { paymentsReturned, payoutChanged } from './events.ts';
import { payoutOfTrace } from './numbers.ts';
import { isPaidBy, returnedPayment, withPayment } from './record-result.ts';
import { readReopened, reopenStatement } from './reopen-statements.ts';
import type { ReturnedRecord } from './schema.ts';
import { payouts, type StoredPayment, type StoredPayout } from './store.ts';

/** The request that imports a file of returns. */
interface ReturnImporter extends Pick<CommitsParts, 'commit' | 'errorOf'>, Authored {
  account: AccountId;
  deadline: number;
  dataKeys(): Promise<DataKeys>;
}

/** The most records of a transaction. Each changes a statement and perhaps a balance, or a payout account. */
const mostInPart = 40;

/** Reads the file of a request. Throws `invalid_input` with the line of a file that is cut or altered. */
export function readSentReturns(fileContent: string): ReturnItem[] {
  try {
    return readReturnFile(fileContent);
  } catch (error) {
    if (error instanceof UnreadableAchFile) throw invalid('fileContent', error.message);
    throw error;
  }
}

interface Named {
  item: ReturnItem;
  place: number;
}

/**
 * Applies the records of a return file. A return reopens its statement, once. A notification of change corrects
 * the payout account, unless a person has changed it since. Records of a payout are applied in transactions of 40, and
 * an interrupted import can be repeated: what is recorded changes nothing. Returns one result for each record, in their order.
 */
export async function importReturns(
  importer: ReturnImporter,
  items: readonly ReturnItem[],
): Promise<ReturnedRecord[]> {
  const results = new Map<number, ReturnedRecord>();
  const groups = new Map<number, Named[]>();
  const ids = await Promise.all(
    items.map((item) => (item.kind === 'other' ? undefined : payoutOfTrace(importer.account, item.trace))),
  );
  for (const [place, item] of items.entries()) {
    const id = ids[place];
    if (item.kind === 'other')
      results.set(place, unapplied(item, 'The record is neither a return nor a change.'));
    else if (id === undefined) results.set(place, { ...shown(item), outcome: 'unknown_entry' });
    else groups.set(id, [...(groups.get(id) ?? []), { item, place }]);
  }
  await commitInLanes([...groups], importer.deadline, {
    late([, named]) {
      for (const { item, place } of named) results.set(place, { ...shown(item), outcome: 'failed' });
    },
    async run([id, named], _, shards) {
      for (let at = 0; at < named.length; at += mostInPart)
        await importPart(importer, id, named.slice(at, at + mostInPart), shards, results);
    },
  });
  return items.flatMap((_, place) => results.get(place) ?? []);
}

async function importPart(
  importer: ReturnImporter,
  payoutId: number,
  named: readonly Named[],
  shards: readonly number[],
  results: Map<number, ReturnedRecord>,
): Promise<void> {
  try {
    const found = await untilCommitted(importer.deadline, shards, (options) =>
      applyPart(importer, payoutId, named, options),
    );
    for (const [index, { place }] of named.entries()) {
      const result = found[index];
      if (result) results.set(place, result);
    }
  } catch (error) {
    if (importer.errorOf(error) !== 'busy') throw error;
    for (const { item, place } of named) results.set(place, { ...shown(item), outcome: 'failed' });
  }
}

/** The records that the part has changed so far. */
interface Changing {
  payout: StoredPayout;
  statements: Map<number, StoredStatement>;
  banks: Map<string, StoredPayoutAccount>;
  balances: Balances;
  returned: StoredPayment[];
  writes: Write[];
}

async function applyPart(
  importer: ReturnImporter,
  payoutId: number,
  named: readonly Named[],
  options: CommitOptions,
): Promise<ReturnedRecord[]> {
  const { account } = importer;
  const before = await payouts.find(account, payoutId);
  const traces = new Set(named.map(({ item }) => item.trace));
  const entries = before?.entries.filter(({ trace }) => trace !== undefined && traces.has(trace)) ?? [];
  if (!before || entries.length === 0)
    return named.map(({ item }) => ({ ...shown(item), outcome: 'unknown_entry' }));
  const [statements, banks] = await Promise.all([
    residualStatements.findMany(
      account,
      entries.map(({ statementId }) => statementId),
    ),
    payoutAccounts.findMany(account, [
      ...new Set(entries.map(({ beneficiary }) => beneficiaryKey(beneficiary))),
    ]),
  ]);
  const changing: Changing = {
    payout: before,
    statements: new Map(statements.map((one) => [one.id, one])),
    banks: new Map(banks.map((one) => [one.id, one])),
    balances: await readReopened(account, statements),
    ...{ returned: [], writes: [] },
  };
  const results: ReturnedRecord[] = [];
  for (const { item } of named) results.push(await applyItem(importer, changing, item));
  const after = asOneChange(before, changing.payout);
  if (before === after) return results;
  const { returned } = changing;
  const changedBanks = banks.flatMap((was) => {
    const bank = asOneChange(was, changing.banks.get(was.id) ?? was);
    return bank === was ? [] : { was, bank };
  });
  const writes = [
    ...payouts.replace(before, after),
    ...changing.writes,
    ...balanceWrites(account, changing.balances),
    ...changedBanks.flatMap(({ was, bank }) => payoutAccounts.replace(was, bank)),
  ];
  const events = [
    ...(returned.length > 0
      ? paymentsReturned(after, returned)
      : payoutChanged('payout_result_recorded', after)),
    ...changedBanks.flatMap(({ bank }) => payoutAccountChanged('payout_account_updated', bank)),
  ];
  await importer.commit(writes, events, options);
  return results;
}

/** Several changes of a record in one transaction are one version. */
const asOneChange = <R extends { version: number }>(before: R, after: R): R =>
  before === after ? before : { ...after, version: before.version + 1 };

async function applyItem(
  importer: ReturnImporter,
  changing: Changing,
  item: ReturnItem,
): Promise<ReturnedRecord> {
  const { payout } = changing;
  const entry = payout.entries.find(({ trace }) => trace === item.trace);
  if (!entry || item.kind === 'other') return { ...shown(item), outcome: 'unknown_entry' };
  const ofEntry = { payoutId: payout.id, n: entry.n, statementId: entry.statementId };
  if (payout.state !== 'downloaded') {
    const reason = 'The payout was not downloaded, so the bank cannot have it.';
    return { ...unapplied(item, reason), ...ofEntry };
  }
  const result =
    item.kind === 'return'
      ? applyReturn(importer, changing, item, entry)
      : await applyChange(importer, changing, item, entry);
  return { ...result, ...ofEntry };
}

/** The codes of dishonored and contested returns. Banks send them about a return that a person has disputed. */
const disputed = /^R(?:6\d|7[0-7])$/;

function applyReturn(
  importer: ReturnImporter,
  changing: Changing,
  item: AchReturn,
  entry: StoredPayment,
): ReturnedRecord {
  const { payout, statements } = changing;
  if (disputed.test(item.code)) return unapplied(item, 'The code belongs to a disputed return.');
  if (entry.result === 'returned') return { ...shown(item), outcome: 'repeated' };
  if (item.amount !== entry.amount) return unapplied(item, 'The amount differs from the payment.');
  const statement = statements.get(entry.statementId);
  if (!statement || !isPaidBy(payout, statement))
    return unapplied(item, 'Another payout has paid the statement.');
  const after = returnedPayment(entry, item);
  changing.payout = withPayment(payout, after, importer);
  changing.returned.push(after);
  changing.writes.push(...reopenStatement(statement, { state: 'returned' }, changing.balances, importer));
  return { ...shown(item), outcome: 'returned' };
}

async function applyChange(
  importer: ReturnImporter,
  changing: Changing,
  item: AchChange,
  entry: StoredPayment,
): Promise<ReturnedRecord> {
  const { payout, banks } = changing;
  if (entry.changes?.includes(item.code)) return { ...shown(item), outcome: 'repeated' };
  if (!item.correction)
    return unapplied(
      item,
      'The notification corrects no value of a bank account, or one that cannot be right.',
    );
  const bank = banks.get(beneficiaryKey(entry.beneficiary));
  if (!bank) return unapplied(item, 'The beneficiary has no payout account any more.');
  const correction: Correction = await correctAccount(importer, { payout, entry, bank }, item.correction);
  if (correction.result === 'changed_since')
    return unapplied(item, 'The payout account was changed since the payment.');
  const { after } = correction;
  banks.set(after.id, after);
  changing.payout = withPayment(
    payout,
    { ...entry, changes: [...(entry.changes ?? []), item.code] },
    importer,
  );
  return { ...shown(item), outcome: after === bank ? 'repeated' : 'account_changed' };
}

const shown = (item: ReturnItem): Omit<ReturnedRecord, 'outcome'> => ({
  ...{ line: item.line, kind: item.kind },
  ...(item.kind !== 'other' && { code: item.code }),
  ...{ trace: item.trace, amount: item.amount },
});

const unapplied = (item: ReturnItem, reason: string): ReturnedRecord => ({
  ...shown(item),
  outcome: 'not_applied',
  reason,
});

/** Counts the results of a return file. */
export function countReturns(records: readonly ReturnedRecord[]) {
  const countOf = (wanted: ReturnedRecord['outcome']) =>
    records.filter(({ outcome }) => outcome === wanted).length;
  const [returned, changed, repeated] = [
    countOf('returned'),
    countOf('account_changed'),
    countOf('repeated'),
  ];
  return { returned, changed, repeated, unresolved: records.length - returned - changed - repeated };
}
