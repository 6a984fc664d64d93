import { notFound } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { asRecordId } from '../id/mint.ts';
import { type Item, isTombstone, recordOf, withFields } from './item.ts';
import {
  childTotalsKey,
  type ListedNoun,
  listKey,
  listPartition,
  recordAndAuditRange,
  recordKey,
  type Scope,
  summaryKey,
} from './keys.ts';
import {
  checkAt,
  deleteIfVersion,
  deleteItem,
  putIfAbsent,
  putIfVersion,
  putItem,
  type RecordChange,
  type Write,
} from './operations.ts';
import { type Bounds, getItem, getItems, type QueryResult, queryItems, queryWithin } from './read.ts';
import type { Versioned } from './record-fields.ts';
import type { Scoping } from './scope.ts';
import { summaryItem } from './summary.ts';
import { readTotals } from './totals.ts';
import type { Viewing } from './views.ts';

/** A record is shown with this many of its newest audit entries. */
export const shownEntries = 100;

/** The noun in a store's keys, the subject of its events, and what else there is to a record. */
type RecordNoun<R extends Versioned, S extends string, M> = {
  noun: ListedNoun;
  subject: S;
  /** The id that the text of a path spells, if any. Left out: plain decimal digits. */
  idFrom?: (text: string) => R['id'] | undefined;
  /** Whether a `childStore` keeps children of it: the item with their totals then lives as long as the record. */
  children?: true;
  /** Lists of a part of the account's records, by `scopedBy`. Left out: of all of them. */
  scope?: Scoping<R>;
  /** Places in the indexes beside the list, and names to be counted under, by `viewedBy`. Left out: none. */
  views?: Viewing<R>;
} & Summarized<R, M>;

/**
 * What lists show of a record that is too large to be read for a list: without anything sensitive, and of at most
 * `largestSummary` bytes, 2 KB where that is left out. It is an item of its own, in the same transaction. Left out:
 * lists read the record itself.
 */
type Summarized<R, M> = [R] extends [M]
  ? { summary?: (record: R) => M; largestSummary?: number }
  : { summary: (record: R) => M; largestSummary?: number };

/**
 * The store of one listed noun: reads by id within an account, reads the newest first for lists, and builds the
 * writes that keep record, summary, index and total together. It holds no rules. `M` is what lists show of a record.
 */
export function recordStore<R extends Versioned, S extends string, M extends object = R>({
  noun,
  subject,
  idFrom,
  children,
  summary,
  largestSummary,
  scope,
  views,
}: RecordNoun<R, S, M>) {
  const type = noun.toLowerCase();
  const placeOf = (record: R) => ({
    ...listKey(record.accountId, noun, orderOf(record), scope?.of(record)),
    ...views?.placeOf(noun, record, orderOf(record)),
  });
  const itemOf = (record: R): Item => {
    const place = summary ? {} : placeOf(record);
    return withFields({ ...recordKey(record.accountId, noun, record.id), ...place, type }, record);
  };
  /** The writes of what the list shows, where that is no attribute of the record itself. */
  const summarized = (record: R): Write[] => {
    if (!summary) return [];
    const key = { ...summaryKey(record.accountId, noun, record.id), ...placeOf(record) };
    return [putItem(summaryItem(key, `${type}-summary`, summary(record), largestSummary))];
  };
  const companionsOf = ({ accountId, id }: R) => [
    ...(summary ? [summaryKey(accountId, noun, id)] : []),
    ...(children ? [childTotalsKey(accountId, noun, id)] : []),
  ];
  /** The change of the counters where a record goes from one state to the next; left out: it is new, or it is gone. */
  const recounted = (account: AccountId, before?: R, after?: R): Write[] => [
    ...(scope ? scope.recount(noun, account, before, after) : countedOnce(account, before, after)),
    ...(views?.recount(noun, before, after) ?? []),
  ];
  const countedOnce = (account: AccountId, before?: R, after?: R): Write[] =>
    before && after ? [] : [{ account, of: noun, amount: after ? 1 : -1 }];
  const changed = ({ id }: R, action: RecordChange['action']) => ({ change: { type: subject, id, action } });
  const gone = (record: R): Write[] => [
    ...companionsOf(record).map(deleteItem),
    ...recounted(record.accountId, record),
  ];
  const present = (found: Item | undefined): R | undefined =>
    found && !isTombstone(found) ? recordOf<R>(found) : undefined;

  return {
    noun,
    subject,
    idFrom: idFrom ?? (asRecordId as (text: string) => R['id'] | undefined),

    /** A record as the API shows it, and as events tell of it: as it is, unless the noun's store says otherwise. */
    show: (record: R): R => record,
    forEvents: (record: R): R => record,

    /** The record, or undefined where this account has none. */
    async find(account: AccountId, id: R['id']): Promise<R | undefined> {
      return present(await getItem(recordKey(account, noun, id)));
    },

    /** The record that a text names as a path does; undefined where this account has none such. */
    async findByReference(account: AccountId, reference: string): Promise<R | undefined> {
      const id = this.idFrom(reference);
      return id === undefined ? undefined : this.find(account, id);
    },

    /** The record. Throws `not_found`, for another account's record as for one that does not exist. */
    async get(account: AccountId, id: R['id']): Promise<R> {
      const record = await this.find(account, id);
      if (!record) throw notFound(subject, id);
      return record;
    },

    /** What lists show of a record, by its id, strongly consistent. Throws `not_found`. */
    async getSummary(account: AccountId, id: R['id']): Promise<M> {
      const found = await getItem((summary ? summaryKey : recordKey)(account, noun, id));
      if (!found || isTombstone(found)) throw notFound(subject, id);
      return recordOf<M>(found);
    },

    /** The records with these ids that the account has, in no promised order. */
    async findMany(account: AccountId, ids: readonly R['id'][]): Promise<R[]> {
      const items = await getItems(ids.map((id) => recordKey(account, noun, id)));
      return items.map(present).filter((record) => record !== undefined);
    },

    /** What became of an id that a client may choose: nothing yet, a record, or one that was deleted for good. */
    async lookUp(account: AccountId, id: R['id']): Promise<IdLookup<R>> {
      const found = await getItem(recordKey(account, noun, id));
      const record = present(found);
      return record ? { record } : { retired: found !== undefined };
    },

    /** The record and its newest 100 audit entries, newest first, in one query. Throws `not_found`. */
    async getWithAudit<E>(account: AccountId, id: R['id']): Promise<R & { auditLog: E[] }> {
      const [first, ...entries] = await queryItems({
        partition: recordKey(account, noun, id).pk,
        sortKey: recordAndAuditRange,
        limit: shownEntries + 1,
        newestFirst: true,
      });
      const record = first?.sk === 'RECORD' ? present(first) : undefined;
      if (!record) throw notFound(subject, id);
      return { ...record, auditLog: entries.map((entry) => recordOf<E>(entry)) };
    },

    /** What lists show of the newest records of the account, or of a scope, as far as the bounds let it read. */
    async newestWithin(account: AccountId, bounds: Bounds, within?: Scope): Promise<QueryResult<M>> {
      const partition = listPartition(account, noun, within);
      const { items, cut } = await queryWithin({ partition, index: 'list', newestFirst: true }, bounds);
      return { items: items.map((found) => recordOf<M>(found)), cut };
    },

    /** What lists show of the newest records of the account, or of a scope, at most `limit`. */
    async newest(account: AccountId, limit: number, within?: Scope): Promise<M[]> {
      return (await this.newestWithin(account, { limit }, within)).items;
    },

    /** How many the account has, summed over the shards of its total, or how many a scope has. */
    async total(account: AccountId, within?: Scope): Promise<number> {
      if (scope && within) return scope.total(noun, account, within);
      return (await readTotals(account)).get(noun) ?? 0;
    },

    /** The account's records, or those of a scope, as the source of a list. */
    listOf(account: AccountId, within?: Scope) {
      return {
        newest: (bounds: Bounds) => this.newestWithin(account, bounds, within),
        total: () => this.total(account, within),
        show: async (page: M[]) => page,
      };
    },

    /** Throws `quota_exceeded` where the record's scope is full. */
    insert(record: R): Write[] {
      const totals = children ? [putItem(childTotalsItem(record, noun))] : [];
      return [
        { ...putIfAbsent(itemOf(record)), ...changed(record, 'created') },
        ...summarized(record),
        ...totals,
        ...recounted(record.accountId, undefined, record),
      ];
    },

    /** The change from one state to the next; nothing where they are the same. */
    replace(before: R, after: R): Write[] {
      if (before === after) return [];
      const put = { ...putIfVersion(itemOf(after), before.version), ...changed(after, 'updated') };
      return [put, ...summarized(after), ...recounted(after.accountId, before, after)];
    },

    /** Fails the transaction unless the record is as it was read; If-Match is compared with its version. */
    unchanged(record: R): Write {
      return checkAt(recordKey(record.accountId, noun, record.id), record.version);
    },

    /** Replaces the record with a tombstone, which holds its id and the time of deletion, so that the id is not reused. */
    delete(record: R, now: Date): Write[] {
      const key = recordKey(record.accountId, noun, record.id);
      const tombstone = { ...key, id: record.id, deletedAt: now.toISOString() };
      const put = { ...putIfVersion(tombstone, record.version), ...changed(record, 'deleted') };
      return [put, ...gone(record)];
    },

    /** Deletes the record and leaves no tombstone, for a noun whose id may be used again: a membership has its user's. */
    hardDelete(record: R): Write[] {
      const key = recordKey(record.accountId, noun, record.id);
      return [{ ...deleteIfVersion(key, record.version), ...changed(record, 'deleted') }, ...gone(record)];
    },
  };
}

/** What became of an id; `retired`: it was deleted, and is never used again. */
export type IdLookup<R> = { record: R; retired?: undefined } | { record?: undefined; retired: boolean };

const childTotalsItem = ({ accountId, id }: Versioned, noun: ListedNoun): Item => ({
  ...childTotalsKey(accountId, noun, id),
  type: 'child-totals',
});

/** The number by which lists order a record. */
function orderOf({ id, listId }: Versioned): number {
  const order = listId ?? id;
  if (typeof order !== 'number') throw new Error(`The record ${id} has no number to order it by in a list.`);
  return order;
}

/** The store of a listed noun whose events have the subject `S`. */
export type RecordStore<R extends Versioned, S extends string, M extends object = R> = ReturnType<
  typeof recordStore<R, S, M>
>;
