import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { type Item, isTombstone, recordOf } from './item.ts';
import { type ListedNoun, listKey, listPartition, recordKey } from './keys.ts';
import { checkAt, deleteIfVersion, putIfAbsent, putIfVersion, type Write } from './operations.ts';
import { type Bounds, type Found, getItem, getItems, queryItems, queryWithin } from './read.ts';
import { readTotals } from './totals.ts';

/** What every record that can be changed carries. */
export interface Versioned {
  id: number;
  accountId: AccountId;
  version: number;
  createdAt: string;
  updatedAt: string;
}

/** A record is shown with this many of its newest audit entries. */
const shownEntries = 100;

/** The noun in a store's keys, and the subject of its events. */
interface RecordNoun<S extends string> {
  noun: ListedNoun;
  subject: S;
}

/**
 * The store of one listed noun: reads by id within an account, reads the newest first for lists, and builds the
 * writes that keep record, index and total together. It holds no rules.
 */
export function recordStore<R extends Versioned, S extends string>({ noun, subject }: RecordNoun<S>) {
  const item = (record: R): Item => {
    const account = record.accountId;
    return {
      ...recordKey(account, noun, record.id),
      ...listKey(account, noun, record.id),
      type: noun.toLowerCase(),
      ...(record as Record<string, unknown>),
    } as Item;
  };
  const present = (found: Item | undefined): R | undefined =>
    found && !isTombstone(found) ? recordOf<R>(found) : undefined;

  return {
    noun,
    subject,

    /** A record as the API shows it, and as events tell of it: as it is, unless the noun's store says otherwise. */
    show: (record: R): R => record,
    forEvents: (record: R): R => record,

    /** The record, or undefined where this account has none. */
    async find(account: AccountId, id: number): Promise<R | undefined> {
      return present(await getItem(recordKey(account, noun, id)));
    },

    /** The record. Throws `not_found`, for another account's record as for one that does not exist. */
    async get(account: AccountId, id: number): Promise<R> {
      const record = await this.find(account, id);
      if (!record) throw new ApiError('not_found');
      return record;
    },

    /** The records with these ids that the account has, in no promised order. */
    async findMany(account: AccountId, ids: readonly number[]): Promise<R[]> {
      const items = await getItems(ids.map((id) => recordKey(account, noun, id)));
      return items.map(present).filter((record) => record !== undefined);
    },

    /** The record and its newest 100 audit entries, newest first, in one query. Throws `not_found`. */
    async getWithAudit<E>(account: AccountId, id: number): Promise<R & { auditLog: E[] }> {
      const [first, ...entries] = await queryItems({
        partition: recordKey(account, noun, id).pk,
        limit: shownEntries + 1,
        newestFirst: true,
      });
      const record = first?.sk === 'RECORD' ? present(first) : undefined;
      if (!record) throw new ApiError('not_found');
      return { ...record, auditLog: entries.map((entry) => recordOf<E>(entry)) };
    },

    /** The newest records of the account, as far as the bounds let it read. */
    async newestWithin(account: AccountId, bounds: Bounds): Promise<Found<R>> {
      const partition = listPartition(account, noun);
      const { items, cut } = await queryWithin({ partition, index: 'list', newestFirst: true }, bounds);
      return { items: items.map((found) => recordOf<R>(found)), cut };
    },

    /** The newest records of the account, at most `limit`. */
    async newest(account: AccountId, limit: number): Promise<R[]> {
      return (await this.newestWithin(account, { limit })).items;
    },

    /** How many the account has, summed over the shards of its total. */
    async total(account: AccountId): Promise<number> {
      return (await readTotals(account)).get(noun) ?? 0;
    },

    /** The account's records as the source of a list. */
    listOf(account: AccountId) {
      return {
        newest: (bounds: Bounds) => this.newestWithin(account, bounds),
        total: () => this.total(account),
        show: async (page: R[]) => page,
      };
    },

    insert(record: R): Write[] {
      return [putIfAbsent(item(record)), { account: record.accountId, of: noun, amount: 1 }];
    },

    /** The change from one state to the next; nothing where they are the same. */
    replace(before: R, after: R): Write[] {
      return before === after ? [] : [putIfVersion(item(after), before.version)];
    },

    /** Fails the transaction unless the record is as it was read; If-Match is compared with its version. */
    unchanged(record: R): Write {
      return checkAt(recordKey(record.accountId, noun, record.id), record.version);
    },

    /** Replaces the record with a tombstone, which holds its id and the time of deletion, so that the id is not reused. */
    delete(record: R, now: Date): Write[] {
      const account = record.accountId;
      const tombstone = {
        ...recordKey(account, noun, record.id),
        id: record.id,
        deletedAt: now.toISOString(),
      };
      return [putIfVersion(tombstone, record.version), { account, of: noun, amount: -1 }];
    },

    /** Deletes the record and leaves no tombstone, for a noun whose id may be used again: a membership has its user's. */
    hardDelete(record: R): Write[] {
      const account = record.accountId;
      const { pk, sk } = recordKey(account, noun, record.id);
      return [deleteIfVersion({ pk, sk }, record.version), { account, of: noun, amount: -1 }];
    },
  };
}

/** The store of a listed noun whose events have the subject `S`. */
export type RecordStore<R extends Versioned, S extends string> = ReturnType<typeof recordStore<R, S>>;
