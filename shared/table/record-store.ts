import { notFound } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { asRecordId } from '../id/mint.ts';
import { keyWord } from '../resources/key-word.ts';
import { type IndexedFields, unbuiltParts } from '../search/indexed-fields.ts';
import type { ChildTotals } from './child-store.ts';
import { entryNames } from './index-items.ts';
import { type Item, isTombstone, recordOf, withFields } from './item.ts';
import {
  childTotalsKey,
  type Key,
  type ListedNoun,
  listKey,
  listPartition,
  type RecordId,
  recordAndAuditRange,
  recordKey,
  type Scope,
  summaryKey,
} from './keys.ts';
import { queryList } from './list-query.ts';
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
import { type RecordIndex, recordIndex } from './read-index.ts';
import type { Versioned } from './record-fields.ts';
import type { Scoping } from './scope.ts';
import type { SecondaryIndexes } from './secondary-indexes.ts';
import { readTotals } from './totals.ts';

/** The number of audit entries shown with a record. */
export const shownEntries = 100;

/** The settings of a store. */
type RecordNoun<R extends Versioned, S extends string, M> = {
  /** The declared name of the resource, which is also the subject type of its events. */
  resource: S;
  /** The name in keys, and in lowercase the item type. By default, both are derived from the resource's name. */
  noun?: ListedNoun;
  /** Parses the id in a path. Default: decimal digits. */
  idFrom?: (text: string) => R['id'] | undefined;
  /** True if a `childStore` contains children of these records. Each record then has a totals item. */
  children?: true;
  /** Divides the account's records into separate lists, such as one for each merchant; see `scopedBy`. */
  scope?: Scoping<R>;
  /** Further indexes and counters; see `secondaryIndexes`. */
  indexes?: SecondaryIndexes<R>;
  /** The fields by which the search index finds the records. Requires `searched` in the declaration. */
  indexedFields?: IndexedFields<M>;
} & Summarized<R, M>;

/**
 * For large records: `summary` returns the fields that lists show, without sensitive values, in at most
 * `largestSummary` bytes (default 2 KB). The summary is a separate item. By default, lists read the record itself.
 */
type Summarized<R, M> = [R] extends [M]
  ? { summary?: (record: R) => M; largestSummary?: number }
  : { summary: (record: R) => M; largestSummary?: number };

/**
 * The store of one record type. It reads records, lists the newest records, and builds the writes that keep record,
 * summary, indexes and totals consistent. It contains no business rules. `M` is the type of a record in lists.
 */
export function recordStore<R extends Versioned, S extends string, M extends object = R>({
  resource,
  noun: ownNoun,
  idFrom,
  children,
  summary,
  largestSummary,
  scope,
  indexes,
  indexedFields,
}: RecordNoun<R, S, M>) {
  const noun = ownNoun ?? keyWord(resource);
  const type = ownNoun?.toLowerCase() ?? resource;
  const placeOf = (record: R) => ({
    ...listKey(record.accountId, noun, orderOf(record), scope?.of(record)),
    ...indexes?.placeOf(noun, record, orderOf(record)),
  });
  const itemOf = (record: R): Item => {
    const place = summary ? {} : placeOf(record);
    return withFields({ ...recordKey(record.accountId, noun, record.id), ...place, type }, record);
  };
  /** Returns the write operation for the summary; empty if this record type has no summaries. */
  const summarized = (record: R, listed = summary?.(record)): Write[] => {
    if (!summary || !listed) return [];
    const key = { ...summaryKey(record.accountId, noun, record.id), ...placeOf(record) };
    return [putItem(summaryItem(key, `${type}-summary`, listed, largestSummary))];
  };
  const companionsOf = ({ accountId, id }: R) => [
    ...(summary ? [summaryKey(accountId, noun, id)] : []),
    ...(children ? [childTotalsKey(accountId, noun, id)] : []),
  ];
  /** Returns the updates to the counters for a change, an insert (no `before`) or a deletion (no `after`). */
  const recounted = (account: AccountId, before?: R, after?: R): Write[] => [
    ...(scope ? scope.recount(noun, account, before, after) : countedOnce(account, before, after)),
    ...(indexes?.recount(noun, before, after) ?? []),
  ];
  const countedOnce = (account: AccountId, before?: R, after?: R): Write[] =>
    before && after ? [] : [{ account, of: noun, amount: after ? 1 : -1 }];
  const changed = ({ id }: R, action: RecordChange['action']) => ({ change: { type: resource, id, action } });
  const gone = (record: R): Write[] => [
    ...companionsOf(record).map(deleteItem),
    ...recounted(record.accountId, record),
  ];
  const present = (found: Item | undefined): R | undefined =>
    found && !isTombstone(found) ? recordOf<R>(found) : undefined;

  const listedKey = (account: AccountId, id: RecordId): Key =>
    (summary ? summaryKey : recordKey)(account, noun, id);
  const indexOf = (account: AccountId): RecordIndex<M> | undefined =>
    indexedFields && recordIndex(noun, indexedFields, account, (id) => listedKey(account, id));

  return {
    noun,
    subject: resource,
    listedKey,
    /** The names of the record's entries in the search index; see `updateIndex`. */
    indexEntries: (listed: Item | undefined) =>
      indexedFields ? entryNames(indexedFields, listed) : new Set<string>(),
    hasUnbuiltParts: (account: { indexedAdditions?: number }): boolean =>
      indexedFields !== undefined && unbuiltParts(indexedFields, account).size > 0,
    idFrom: idFrom ?? (asRecordId as (text: string) => R['id'] | undefined),

    /** The record in responses (`show`) and in events (`forEvents`). A store may override both functions. */
    show: (record: R): R => record,
    forEvents: (record: R): R => record,

    /** Returns the record; undefined if the account has no record with this id. */
    async find(account: AccountId, id: R['id']): Promise<R | undefined> {
      return present(await getItem(recordKey(account, noun, id)));
    },

    /** Returns the record with an id from a path; undefined if it does not exist. */
    async findByReference(account: AccountId, reference: string): Promise<R | undefined> {
      const id = this.idFrom(reference);
      return id === undefined ? undefined : this.find(account, id);
    },

    /** Returns the record. Throws `not_found`, also for another account's record. */
    async get(account: AccountId, id: R['id']): Promise<R> {
      const record = await this.find(account, id);
      if (!record) throw notFound(resource, id);
      return record;
    },

    /** Returns a record as lists show it. The read is strongly consistent. Throws `not_found`. */
    async getSummary(account: AccountId, id: R['id']): Promise<M> {
      const found = await getItem(listedKey(account, id));
      if (!found || isTombstone(found)) throw notFound(resource, id);
      return recordOf<M>(found);
    },

    /** Returns the account's records with these ids, in the order of `ids`. Omits missing and deleted records. */
    async findMany(account: AccountId, ids: readonly R['id'][]): Promise<R[]> {
      const items = await getItems(ids.map((id) => recordKey(account, noun, id)));
      return items.map(present).filter((record) => record !== undefined);
    },

    /** Reports whether an id that a client chose is unused, or belongs to an existing or a deleted record. */
    async lookUp(account: AccountId, id: R['id']): Promise<IdLookup<R>> {
      const found = await getItem(recordKey(account, noun, id));
      const record = present(found);
      return record ? { record } : { retired: found !== undefined };
    },

    /** Returns the record and its 100 newest audit entries, newest first, in one query. Throws `not_found`. */
    async getWithAudit<E>(account: AccountId, id: R['id']): Promise<R & { auditLog: E[] }> {
      const [first, ...entries] = await queryItems({
        partition: recordKey(account, noun, id).pk,
        sortKey: recordAndAuditRange,
        limit: shownEntries + 1,
        newestFirst: true,
      });
      const record = first?.sk === 'RECORD' ? present(first) : undefined;
      if (!record) throw notFound(resource, id);
      return { ...record, auditLog: entries.map((entry) => recordOf<E>(entry)) };
    },

    /** Returns the newest records of the account or scope as lists show them, within the bounds. */
    async newestWithin(account: AccountId, bounds: Bounds, within?: Scope): Promise<QueryResult<M>> {
      const partition = listPartition(account, noun, within);
      return queryList(queryWithin, { partition, index: 'list' }, bounds, recordOf<M>);
    },

    /** Returns the newest records of the account or scope as lists show them, at most `limit`. */
    async newest(account: AccountId, limit: number, within?: Scope): Promise<M[]> {
      return (await this.newestWithin(account, { limit }, within)).items;
    },

    /** Returns the number of records of the account (summed over the shards) or of a scope. */
    async total(account: AccountId, within?: Scope): Promise<number> {
      if (scope && within) return scope.total(noun, account, within);
      return (await readTotals(account)).get(noun) ?? 0;
    },

    listOf(account: AccountId, within?: Scope) {
      return {
        newest: (bounds: Bounds) => this.newestWithin(account, bounds, within),
        total: () => this.total(account, within),
        show: async (page: M[]) => page,
        index: indexOf(account),
      };
    },

    /**
     * Returns the writes of a new record. They throw `quota_exceeded` if the record's scope is full. `listed` is the
     * summary of the record, for callers that already have it. `childTotals` are those of children that the same
     * transaction creates; see `insertFirst` in child-store.ts.
     */
    insert(record: R, listed?: M, childTotals: ChildTotals = {}): Write[] {
      const totals = children ? [putItem({ ...childTotalsItem(record, noun), ...childTotals })] : [];
      return [
        { ...putIfAbsent(itemOf(record)), ...changed(record, 'created') },
        ...summarized(record, listed),
        ...totals,
        ...recounted(record.accountId, undefined, record),
      ];
    },

    /** Replaces a record. Returns no writes if nothing changed. `listed` is as in `insert`. */
    replace(before: R, after: R, listed?: M): Write[] {
      if (before === after) return [];
      const put = { ...putIfVersion(itemOf(after), before.version), ...changed(after, 'updated') };
      return [put, ...summarized(after, listed), ...recounted(after.accountId, before, after)];
    },

    /** Returns a condition that fails if the record has changed. If-Match is compared with the record's version. */
    unchanged(record: R): Write {
      return checkAt(recordKey(record.accountId, noun, record.id), record.version);
    },

    /** Replaces the record with a tombstone (id and time of deletion), so that the id is not reused. */
    delete(record: R, now: Date): Write[] {
      const key = recordKey(record.accountId, noun, record.id);
      const tombstone = { ...key, id: record.id, deletedAt: now.toISOString() };
      const put = { ...putIfVersion(tombstone, record.version), ...changed(record, 'deleted') };
      return [put, ...gone(record)];
    },

    /** Deletes the record without a tombstone. Use it only if ids may be reused, as for memberships. */
    hardDelete(record: R): Write[] {
      const key = recordKey(record.accountId, noun, record.id);
      return [{ ...deleteIfVersion(key, record.version), ...changed(record, 'deleted') }, ...gone(record)];
    },
  };
}

/** The result of `lookUp`. `retired` is true if the record with this id was deleted. Its id is never reused. */
export type IdLookup<R> = { record: R; retired?: undefined } | { record?: undefined; retired: boolean };

const childTotalsItem = ({ accountId, id }: Versioned, noun: ListedNoun): Item => ({
  ...childTotalsKey(accountId, noun, id),
  type: 'child-totals',
});

/** Returns the number that orders a record in lists. */
function orderOf({ id, listId }: Versioned): number {
  const order = listId ?? id;
  if (typeof order !== 'number') throw new Error(`The record ${id} needs a numeric id or listId.`);
  return order;
}

export type RecordStore<R extends Versioned, S extends string, M extends object = R> = ReturnType<
  typeof recordStore<R, S, M>
>;

/** The default limit in bytes. The 10,000 summaries that a list may read are then at most 20 MB in total. */
const usualLimit = 2 * 1024;

/** Builds the item of a summary. Throws if the summary is too large: the `summary` function must cut long texts. */
function summaryItem(key: Key, type: string, summary: object, largest = usualLimit): Item {
  const bytes = Buffer.byteLength(JSON.stringify(summary));
  if (bytes > largest) throw new Error(`A summary of ${bytes} bytes exceeds the limit of ${largest} bytes.`);
  return withFields({ ...key, type }, summary);
}
