import type { AccountId } from '../id/account-id.ts';
import { dueAcrossAccountsKey } from './due-keys.ts';
import { recordOf } from './item.ts';
import {
  type ListedNoun,
  listPartition,
  type Scope,
  type SecondaryIndexName,
  secondaryIndexKey,
} from './keys.ts';
import { queryList } from './list-query.ts';
import type { ListSource } from './list-source.ts';
import type { CounterDelta } from './operations.ts';
import { queryMerged } from './read-merged.ts';
import type { Versioned } from './record-fields.ts';
import { readTotals } from './totals.ts';

/** The additional indexes and counters of a record type. */
export interface SecondaryIndexes<R> {
  /** Returns the index keys of the item that lists read. `order` is the number by which lists sort the record. */
  placeOf(noun: ListedNoun, record: R, order: number): Record<string, string>;
  /** Returns the updates to the counters for a change, an insert (no `before`) or a deletion (no `after`). */
  recount(noun: ListedNoun, before?: R, after?: R): CounterDelta[];
}

/**
 * Functions that derive index keys and counters. If a function returns undefined, the record is not in that index.
 *
 * The search index also finds records by state and holder, but it is about a second older than the table, its totals are
 * limited, and it contains only ids. The indexes `state` and `holder` remain because of these promises:
 *
 * - The lists by which teams work contain a change immediately and have exact totals, which counters contain: tickets and
 *   invoices by status, and tickets and leads by assignee.
 * - A user who reaches only the own records lists them in one round trip (`readHeld`).
 * - Ageing reports and statements contain up to 5,000 open invoices, which one query reads (`readOpenInvoices`).
 * - A new SLA policy reaches all open tickets (`recomputeClocks`), and a reassignment reaches all leads and open tickets of
 *   a user (`reassignRecords`). They walk the index page by page. The search index would skip the records that it lacks.
 */
interface IndexedParts<R> {
  /** The partition in the index `state`, such as the status. The index is sorted like the index `list`. */
  state?: (record: R) => readonly string[] | undefined;
  /** The partition in the index `holder`, such as assignee and status. */
  holder?: (record: R) => readonly string[] | undefined;
  /** The next due time, in ISO 8601 with milliseconds. The record needs a numeric id. */
  due?: (record: R) => string | undefined;
  /** The additional names under which the record is counted. */
  countedAs?: (record: R) => readonly CountedName[];
}

export interface CountedName {
  of: string;
  /** The record's totals that include this count, for example the totals of an assignee. Default: the account's. */
  within?: Scope;
}

/** Adds records to further indexes. It is not part of `recordStore`, because few record types have further indexes. */
export function secondaryIndexes<R extends Versioned>({
  state,
  holder,
  due,
  countedAs,
}: IndexedParts<R>): SecondaryIndexes<R> {
  const duePlace = (noun: ListedNoun, { accountId: account, id }: R, at: string | undefined) => {
    if (at === undefined) return undefined;
    if (typeof id !== 'number')
      throw new Error(`A record with a due date needs a numeric id, but this id is ${id}.`);
    return dueAcrossAccountsKey({ account, noun, id, at });
  };
  const counted = (noun: ListedNoun, record: R | undefined, amount: 1 | -1): CounterDelta[] =>
    record && countedAs
      ? countedAs(record).map((name) => ({ ...counterOf(noun, name), account: record.accountId, amount }))
      : [];
  return {
    placeOf(noun, record, order) {
      const [inState, withHolder] = [state?.(record), holder?.(record)];
      return {
        ...(inState && secondaryIndexKey(record.accountId, noun, 'state', inState, order)),
        ...(withHolder && secondaryIndexKey(record.accountId, noun, 'holder', withHolder, order)),
        ...duePlace(noun, record, due?.(record)),
      };
    },
    recount: (noun, before, after) => differing([...counted(noun, before, -1), ...counted(noun, after, 1)]),
  };
}

/** The counter of a name, prefixed with the record type so that two types never use the same counter. */
const counterOf = (noun: ListedNoun, { of, within }: CountedName) => ({
  of: `${noun} ${of}`,
  ...(within && { within: [noun, ...within] }),
});

/** Sums the changes per counter and omits counters whose sum is 0. */
function differing(deltas: readonly CounterDelta[]): CounterDelta[] {
  const sums = new Map<string, CounterDelta>();
  for (const delta of deltas) {
    const name = JSON.stringify([delta.within, delta.of]);
    sums.set(name, { ...delta, amount: (sums.get(name)?.amount ?? 0) + delta.amount });
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0);
}

/** A store whose lists contain records of type `M`. */
interface ListedStore<M> {
  noun: ListedNoun;
  newest(account: AccountId, limit: number): Promise<M[]>;
}

/** Lists the records in partitions of a secondary index, newest first. `total` returns their number, for example by `countOf`. */
export function listOfIndex<M>(
  { noun }: ListedStore<M>,
  account: AccountId,
  index: SecondaryIndexName,
  partitions: readonly (readonly string[])[],
  total: () => Promise<number>,
): ListSource<M> {
  const names = partitions.map((parts) => listPartition(account, noun, parts));
  return {
    newest: (bounds) => queryList(queryMerged, { partitions: names, index }, bounds, recordOf<M>),
    total,
    show: async (page) => page,
  };
}

/** Returns the sum of the counters with these names. Reads each partition of totals once, in parallel. */
export const countOf = async (
  store: { noun: ListedNoun },
  account: AccountId,
  names: readonly CountedName[],
): Promise<number> => (await countsOf(store, account, [names]))[0] ?? 0;

/** Like `countOf`, for several sums. */
export async function countsOf(
  { noun }: { noun: ListedNoun },
  account: AccountId,
  sums: readonly (readonly CountedName[])[],
): Promise<number[]> {
  const counters = sums.flatMap((names, sum) => names.map((name) => ({ ...counterOf(noun, name), sum })));
  const reading = new Map<string, Promise<Map<string, number>>>();
  for (const { within } of counters) {
    const partition = JSON.stringify(within);
    if (!reading.has(partition)) reading.set(partition, readTotals(account, within));
  }
  const totals = sums.map(() => 0);
  for (const { of, within, sum } of counters) {
    const counts = await reading.get(JSON.stringify(within));
    totals[sum] = (totals[sum] ?? 0) + (counts?.get(of) ?? 0);
  }
  return totals;
}
