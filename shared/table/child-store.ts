import { ApiError, notFound } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { keyWord } from '../resources/key-word.ts';
import { type Item, recordOf, withFields } from './item.ts';
import { childKey, childPartition, childTotalsKey, type RecordId } from './keys.ts';
import { queryList } from './list-query.ts';
import {
  addToCounts,
  checkAt,
  deleteIfVersion,
  putIfAbsent,
  putIfVersion,
  type RecordChange,
  type TransactItem,
  type Write,
} from './operations.ts';
import { type Bounds, getItem, type QueryResult, queryWithin } from './read.ts';
import type { Versioned } from './record-fields.ts';

/** A record that belongs to another record, such as a note of a merchant. */
export interface Child extends Versioned {
  id: number;
}

interface ChildNoun<R extends Child, S extends string> {
  /** The declared name of the resource, which is also the subject type of its events. */
  resource: S;
  /** The resource of the parent. It must declare the children, and its store must set `children`. */
  parent: string;
  parentOf: (record: R) => RecordId;
  /** The names under which a child is counted in addition to its kind. Default: none. */
  countedAs?: (record: R) => readonly string[];
}

/**
 * The store of one kind of child records. Children have their own partition and are read strongly consistently, newest
 * first. The parent's totals item counts them. A deleted parent has no totals item and therefore cannot get a child.
 */
export function childStore<R extends Child, S extends string>({
  resource: subject,
  parent: parentName,
  parentOf,
  countedAs = () => [],
}: ChildNoun<R, S>) {
  const [parent, kind] = [keyWord(parentName), keyWord(subject)];
  const under = (account: AccountId, parentId: RecordId) => ({ account, parent, parentId, kind });
  const keyOf = (record: R) => childKey(under(record.accountId, parentOf(record)), record.id);
  const itemOf = (record: R): Item => withFields({ ...keyOf(record), type: subject }, record);
  const changed = ({ id }: R, action: RecordChange['action']) => ({ change: { type: subject, id, action } });
  const putNew = (record: R): TransactItem => ({
    ...putIfAbsent(itemOf(record)),
    ...changed(record, 'created'),
  });
  const namesOf = (record: R): string[] => [kind, ...countedAs(record).map((name) => `${kind} ${name}`)];

  /** Returns the changes of the totals, by name. */
  const amountsOf = (removed: readonly R[], added: readonly R[]): ReadonlyMap<string, number> => {
    const amounts = new Map<string, number>();
    for (const [records, amount] of [[removed, -1] as const, [added, 1] as const])
      for (const name of records.flatMap(namesOf)) amounts.set(name, (amounts.get(name) ?? 0) + amount);
    return new Map([...amounts].filter(([, amount]) => amount !== 0));
  };

  /** Returns the update of the totals; empty if no total changes. */
  const recounted = (removed: R[], added: R[], limits: ChildLimits = {}): TransactItem[] => {
    const differing = amountsOf(removed, added);
    const [one] = [...added, ...removed];
    if (!one || differing.size === 0) return [];
    const { most, mostOf = {}, otherwise = new ApiError('quota_exceeded') } = limits;
    const named = Object.entries(mostOf).map(([name, limit]) => [`${kind} ${name}`, limit]);
    const all = { ...Object.fromEntries(named), ...(most !== undefined && { [kind]: most }) };
    const key = childTotalsKey(one.accountId, parent, parentOf(one));
    return [
      addToCounts(key, differing, {
        most: all,
        otherwise,
        missing: notFound(parentName, parentOf(one)),
      }),
    ];
  };

  return {
    parent,
    kind,
    subject,

    /** The record in responses (`show`) and in events (`forEvents`). A store may override both functions. */
    show: (record: R): R => record,
    forEvents: (record: R): R => record,

    /** Returns the child; undefined if the parent has no child with this id. */
    async find(account: AccountId, parentId: RecordId, id: number): Promise<R | undefined> {
      const item = await getItem(childKey(under(account, parentId), id));
      return item && recordOf<R>(item);
    },

    /** Returns the child. Throws `not_found` if the parent has no child with this id. */
    async get(account: AccountId, parentId: RecordId, id: number): Promise<R> {
      const record = await this.find(account, parentId, id);
      if (!record) throw notFound(subject, id);
      return record;
    },

    async newestWithin(account: AccountId, parentId: RecordId, bounds: Bounds): Promise<QueryResult<R>> {
      const partition = childPartition(under(account, parentId));
      return queryList(queryWithin, { partition }, bounds, recordOf<R>);
    },

    async newest(account: AccountId, parentId: RecordId, limit: number): Promise<R[]> {
      return (await this.newestWithin(account, parentId, { limit })).items;
    },

    /** Returns the totals of all kinds of children of a parent. See `totalOf`. */
    async totals(account: AccountId, parentId: RecordId): Promise<ChildTotals> {
      const item = await getItem(childTotalsKey(account, parent, parentId));
      return item ? recordOf<ChildTotals>(item) : {};
    },

    /** Returns the number of children of this kind, or the number counted under one of the names in `countedAs`. */
    totalOf: (totals: ChildTotals, name?: string): number =>
      totals[name === undefined ? kind : `${kind} ${name}`] ?? 0,

    listOf(account: AccountId, parentId: RecordId) {
      return {
        newest: (bounds: Bounds) => this.newestWithin(account, parentId, bounds),
        total: async () => this.totalOf(await this.totals(account, parentId)),
        show: async (page: R[]) => page,
      };
    },

    /**
     * Returns the writes of a new child. They throw `not_found` if the parent was deleted, and
     * `limits.otherwise` if a limit is exceeded.
     */
    insert(record: R, limits?: ChildLimits): Write[] {
      return this.insertAll([record], limits);
    },

    /** Like `insert` for several children of one parent. */
    insertAll(records: readonly R[], limits?: ChildLimits): Write[] {
      return [...records.map(putNew), ...recounted([], [...records], limits)];
    },

    /**
     * Returns the writes of the children of a new parent, and their totals. One transaction cannot create and count the
     * totals item, so the insert of the parent must store these totals.
     */
    insertFirst(records: readonly R[]): { writes: Write[]; totals: ChildTotals } {
      return { writes: records.map(putNew), totals: Object.fromEntries(amountsOf([], records)) };
    },

    /** Replaces a child of the same parent. Returns no writes if nothing changed. */
    replace(before: R, after: R, limits?: ChildLimits): Write[] {
      if (before === after) return [];
      const put = { ...putIfVersion(itemOf(after), before.version), ...changed(after, 'updated') };
      return [put, ...recounted([before], [after], limits)];
    },

    /** Returns a condition that fails if the child has changed. If-Match is compared with the child's version. */
    unchanged(record: R): Write {
      return checkAt(keyOf(record), record.version);
    },

    /** Deletes the child. No tombstone is needed, because the id is never generated again. */
    delete(record: R): Write[] {
      const removed = { ...deleteIfVersion(keyOf(record), record.version), ...changed(record, 'deleted') };
      return [removed, ...recounted([record], [])];
    },
  };
}

/** The numbers of children of a record, by kind and by additional names. */
export type ChildTotals = Readonly<Record<string, number>>;

interface ChildLimits {
  /** The limit for children of this kind. */
  most?: number;
  /** The limits for the names in `countedAs`. */
  mostOf?: Readonly<Record<string, number>>;
  /** Thrown if a limit is exceeded. Default `quota_exceeded`. */
  otherwise?: ApiError;
}
