import type { AccountId } from '../../id/account-id.ts';
import { recordOf } from '../../table/item.ts';
import { digits, type Key, quotaKey, tenantPartition } from '../../table/keys.ts';
import { queryList } from '../../table/list-query.ts';
import type { ListSource } from '../../table/list-source.ts';
import { addToCounter, putIfAbsent, putIfVersion, type Write } from '../../table/operations.ts';
import { type Bounds, getItem, getItems, queryWithin, type Selection } from '../../table/read.ts';
import type { Impersonation, StoredImpersonation } from './schema.ts';

/** In milliseconds. */
export const impersonationLifetime = 30 * 60_000;

const partitionOf = (account: AccountId, userId: number): string =>
  tenantPartition(account, 'IMPERSONATION', digits(userId));

/** The partition of the list index with the impersonations of all users. */
const partitionOfAll = (account: AccountId): string => tenantPartition(account, 'IMPERSONATION');

const keyOf = (account: AccountId, userId: number, id: number): Key => ({
  pk: partitionOf(account, userId),
  sk: digits(id),
});

const counterOf = (account: AccountId, userId: number): Key =>
  quotaKey(account, 'IMPERSONATION', [digits(userId)]);

const itemOf = (one: StoredImpersonation) => ({
  ...keyOf(one.accountId, one.userId, one.id),
  listPk: partitionOfAll(one.accountId),
  listSk: digits(one.id),
  type: 'impersonation',
  ...one,
});

const newestIn = (selection: Selection & { partition: string }) => ({
  newest: (bounds: Bounds) => queryList(queryWithin, selection, bounds, recordOf<StoredImpersonation>),
  show: async (page: StoredImpersonation[]) => page.map(impersonations.show),
});

/** The impersonations of each user in an account. They are never deleted while the account exists. */
export const impersonations = {
  show: ({ home, sessionId, ...one }: StoredImpersonation): Impersonation => one,

  async findMany(
    account: AccountId,
    wanted: readonly { userId: number; id: number }[],
  ): Promise<StoredImpersonation[]> {
    const items = await getItems(wanted.map(({ userId, id }) => keyOf(account, userId, id)));
    return items.flatMap((item) => (item ? [recordOf<StoredImpersonation>(item)] : []));
  },

  listOf(account: AccountId, userId: number): ListSource<Impersonation, StoredImpersonation> {
    return {
      ...newestIn({ partition: partitionOf(account, userId) }),
      total: async () => Number((await getItem(counterOf(account, userId)))?.count ?? 0),
    };
  },

  /** The impersonations of all users of an account. Reads an eventually consistent index. */
  ofAllUsers: (account: AccountId): Pick<ListSource<Impersonation, StoredImpersonation>, 'newest' | 'show'> =>
    newestIn({ partition: partitionOfAll(account), index: 'list' }),

  insert: (one: StoredImpersonation): Write[] => [
    putIfAbsent(itemOf(one)),
    addToCounter(counterOf(one.accountId, one.userId), 1),
  ],

  replace: (before: StoredImpersonation, after: StoredImpersonation): Write[] =>
    before === after ? [] : [putIfVersion(itemOf(after), before.version)],
};
