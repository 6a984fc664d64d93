import { ApiError, notFound } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { type Item, recordOf, withFields } from './item.ts';
import {
  type ChildKind,
  childKey,
  childPartition,
  childTotalsKey,
  type ListedNoun,
  type RecordId,
} from './keys.ts';
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

/** A record that belongs to another one, such as a note of a merchant. */
export interface Child extends Versioned {
  id: number;
}

interface ChildNoun<R extends Child, S extends string> {
  /** The noun of the records they belong to, whose store says that it has `children`. */
  parent: ListedNoun;
  kind: ChildKind;
  /** The subject of their events. */
  subject: S;
  /** The id of the record that a child belongs to. */
  parentOf: (record: R) => RecordId;
  /** The names under which a child is counted beside its kind: each is a total of its own. Left out: none. */
  countedAs?: (record: R) => readonly string[];
}

/**
 * The store of one kind of children. They lie in a partition of their own beside their parent and are read strongly
 * consistent, newest first. How many there are stands in one item that lives as long as the parent: nothing is added
 * to a parent that is gone.
 */
export function childStore<R extends Child, S extends string>({
  parent,
  kind,
  subject,
  parentOf,
  countedAs = () => [],
}: ChildNoun<R, S>) {
  const under = (account: AccountId, parentId: RecordId) => ({ account, parent, parentId, kind });
  const keyOf = (record: R) => childKey(under(record.accountId, parentOf(record)), record.id);
  const itemOf = (record: R): Item => withFields({ ...keyOf(record), type: kind.toLowerCase() }, record);
  const changed = ({ id }: R, action: RecordChange['action']) => ({ change: { type: subject, id, action } });
  const namesOf = (record: R): string[] => [kind, ...countedAs(record).map((name) => `${kind} ${name}`)];

  /** The change of the totals from what is gone to what is new; nothing where they stay. */
  const recounted = (gone: R[], added: R[], limits: ChildLimits = {}): TransactItem[] => {
    const amounts = new Map<string, number>();
    for (const [records, amount] of [[gone, -1] as const, [added, 1] as const])
      for (const name of records.flatMap(namesOf)) amounts.set(name, (amounts.get(name) ?? 0) + amount);
    const differing = new Map([...amounts].filter(([, amount]) => amount !== 0));
    const [one] = [...added, ...gone];
    if (!one || differing.size === 0) return [];
    const { most, mostOf = {}, otherwise = new ApiError('quota_exceeded') } = limits;
    const named = Object.entries(mostOf).map(([name, limit]) => [`${kind} ${name}`, limit]);
    const all = { ...Object.fromEntries(named), ...(most !== undefined && { [kind]: most }) };
    const key = childTotalsKey(one.accountId, parent, parentOf(one));
    return [
      addToCounts(key, differing, {
        most: all,
        otherwise,
        missing: notFound(parent.toLowerCase(), parentOf(one)),
      }),
    ];
  };

  return {
    parent,
    kind,
    subject,

    /** A child as the API shows it, and as events tell of it: as it is, unless the noun's store says otherwise. */
    show: (record: R): R => record,
    forEvents: (record: R): R => record,

    /** The child, or undefined where this parent has none with the id. */
    async find(account: AccountId, parentId: RecordId, id: number): Promise<R | undefined> {
      const item = await getItem(childKey(under(account, parentId), id));
      return item && recordOf<R>(item);
    },

    /** The child. Throws `not_found`, also where it belongs to another parent. */
    async get(account: AccountId, parentId: RecordId, id: number): Promise<R> {
      const record = await this.find(account, parentId, id);
      if (!record) throw notFound(subject, id);
      return record;
    },

    /** The newest children of a parent, as far as the bounds let it read. */
    async newestWithin(account: AccountId, parentId: RecordId, bounds: Bounds): Promise<QueryResult<R>> {
      const partition = childPartition(under(account, parentId));
      const { items, cut } = await queryWithin({ partition, newestFirst: true }, bounds);
      return { items: items.map((found) => recordOf<R>(found)), cut };
    },

    /** The newest children of a parent, at most `limit`. */
    async newest(account: AccountId, parentId: RecordId, limit: number): Promise<R[]> {
      return (await this.newestWithin(account, parentId, { limit })).items;
    },

    /** How many of each kind a parent has, of every kind there is: see `totalOf`. */
    async totals(account: AccountId, parentId: RecordId): Promise<ChildTotals> {
      const item = await getItem(childTotalsKey(account, parent, parentId));
      return item ? recordOf<ChildTotals>(item) : {};
    },

    /** How many of this kind, or counted under this name, there are. */
    totalOf: (totals: ChildTotals, name?: string): number =>
      totals[name === undefined ? kind : `${kind} ${name}`] ?? 0,

    /** A parent's children as the source of a list. */
    listOf(account: AccountId, parentId: RecordId) {
      return {
        newest: (bounds: Bounds) => this.newestWithin(account, parentId, bounds),
        total: async () => this.totalOf(await this.totals(account, parentId)),
        show: async (page: R[]) => page,
      };
    },

    /** Throws `not_found` where the parent is gone, and what the limits say where one is met. */
    insert(record: R, limits?: ChildLimits): Write[] {
      const put = { ...putIfAbsent(itemOf(record)), ...changed(record, 'created') };
      return [put, ...recounted([], [record], limits)];
    },

    /** The change from one state to the next, of one parent; nothing where they are the same. */
    replace(before: R, after: R, limits?: ChildLimits): Write[] {
      if (before === after) return [];
      const put = { ...putIfVersion(itemOf(after), before.version), ...changed(after, 'updated') };
      return [put, ...recounted([before], [after], limits)];
    },

    /** Fails the transaction unless the child is as it was read; If-Match is compared with its version. */
    unchanged(record: R): Write {
      return checkAt(keyOf(record), record.version);
    },

    /** Deletes the child for good: its id was minted and is not used again. */
    delete(record: R): Write[] {
      const gone = { ...deleteIfVersion(keyOf(record), record.version), ...changed(record, 'deleted') };
      return [gone, ...recounted([record], [])];
    },
  };
}

/** How many children a record has, by kind, and by the names under which a kind is counted. */
type ChildTotals = Readonly<Record<string, number>>;

/** How many children a parent may have. */
interface ChildLimits {
  /** Of this kind. */
  most?: number;
  /** Of those that are counted under a name. */
  mostOf?: Readonly<Record<string, number>>;
  /** Thrown where one is met. Left out: `quota_exceeded`. */
  otherwise?: ApiError;
}
