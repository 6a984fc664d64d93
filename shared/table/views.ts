import type { AccountId } from '../id/account-id.ts';
import { dueAcrossAccountsKey } from './due-keys.ts';
import { recordOf } from './item.ts';
import { type ListedNoun, listPartition, type Scope, type ViewName, viewKey } from './keys.ts';
import type { ListSource } from './list-source.ts';
import type { CounterDelta } from './operations.ts';
import { queryMerged } from './read-merged.ts';
import type { Versioned } from './record-fields.ts';
import { readTotals } from './totals.ts';

/** Where the records of a noun stand beside their list, and how they are counted beside their noun. */
export interface Viewing<R> {
  /** The index keys of the item that the list shows; `order` is the record's number there. */
  placeOf(noun: ListedNoun, record: R, order: number): Record<string, string>;
  /** The change of the counters where a record goes from one state to the next; left out: it is new, or it is gone. */
  recount(noun: ListedNoun, before?: R, after?: R): CounterDelta[];
}

/** By what a record says of itself; undefined: it is not in that index. */
interface Views<R> {
  /** The parts of its partition's name in `state`, such as its status. Ordered as the list is. */
  state?: (record: R) => readonly string[] | undefined;
  /** The same in `holder`, such as its assignee and its status. */
  holder?: (record: R) => readonly string[] | undefined;
  /** The next instant at which something is due, in ISO 8601 with milliseconds. Its id is a number. */
  due?: (record: R) => string | undefined;
  /** The names under which it is counted beside its noun. */
  countedAs?: (record: R) => readonly CountedName[];
}

/** A name under which records are counted. */
interface CountedName {
  of: string;
  /** Which totals of the noun it stands in, such as those of an assignee. Left out: the account's. */
  within?: Scope;
}

/** Gives records places in the indexes beside the list. (Apart from the store, because few nouns need it.) */
export function viewedBy<R extends Versioned>({ state, holder, due, countedAs }: Views<R>): Viewing<R> {
  const duePlace = (noun: ListedNoun, { accountId: account, id }: R, at: string | undefined) => {
    if (at === undefined) return undefined;
    if (typeof id !== 'number') throw new Error(`The record ${id} is due and has no number.`);
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
        ...(inState && viewKey(record.accountId, noun, 'state', inState, order)),
        ...(withHolder && viewKey(record.accountId, noun, 'holder', withHolder, order)),
        ...duePlace(noun, record, due?.(record)),
      };
    },
    recount: (noun, before, after) => differing([...counted(noun, before, -1), ...counted(noun, after, 1)]),
  };
}

/** The counter of a name: of this noun, so that no other noun's has it too. */
const counterOf = (noun: ListedNoun, { of, within }: CountedName) => ({
  of: `${noun} ${of}`,
  ...(within && { within: [noun, ...within] }),
});

/** The counters that differ after all of these. */
function differing(deltas: readonly CounterDelta[]): CounterDelta[] {
  const sums = new Map<string, CounterDelta>();
  for (const delta of deltas) {
    const name = JSON.stringify([delta.within, delta.of]);
    sums.set(name, { ...delta, amount: (sums.get(name)?.amount ?? 0) + delta.amount });
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0);
}

/** The store of the records: its lists show `M`. */
interface ViewStore<M> {
  noun: ListedNoun;
  newest(account: AccountId, limit: number): Promise<M[]>;
}

/**
 * An account's records in these partitions of a view as the source of a list: read side by side, merged newest first.
 * `total` says how many they are, by `countOf`.
 */
export function viewOf<M>(
  { noun }: ViewStore<M>,
  account: AccountId,
  view: ViewName,
  partitions: readonly (readonly string[])[],
  total: () => Promise<number>,
): ListSource<M> {
  const names = partitions.map((parts) => listPartition(account, noun, parts));
  return {
    async newest(bounds) {
      const query = { partitions: names, index: view, newestFirst: true };
      const { items, cut } = await queryMerged(query, bounds);
      return { items: items.map((found) => recordOf<M>(found)), cut };
    },
    total,
    show: async (page) => page,
  };
}

/** How many records an account has under these names, all together: one query for each totals, side by side. */
export async function countOf(
  { noun }: { noun: ListedNoun },
  account: AccountId,
  names: readonly CountedName[],
): Promise<number> {
  const counters = names.map((name) => counterOf(noun, name));
  const reading = new Map<string, Promise<Map<string, number>>>();
  for (const { within } of counters) {
    const partition = JSON.stringify(within);
    if (!reading.has(partition)) reading.set(partition, readTotals(account, within));
  }
  const counts = await Promise.all(
    counters.map(async ({ of, within }) => (await reading.get(JSON.stringify(within)))?.get(of) ?? 0),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
