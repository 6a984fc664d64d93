import { accountKey } from '../accounts/keys.ts';
import type { StoredAccount } from '../accounts/schema.ts';
import { ApiError, notFound } from '../errors.ts';
import { type AccountId, asAccountId } from '../id/account-id.ts';
import { type Item, isTombstone, recordOf } from '../table/item.ts';
import { type Key, quotaKey } from '../table/keys.ts';
import { type ListSource, shortListSource } from '../table/list-source.ts';
import {
  addToCounter,
  addWithinQuota,
  checkCount,
  deleteItem,
  putIfAbsent,
  putItem,
  setIfPresent,
  type Write,
} from '../table/operations.ts';
import { getItem, getItems, queryItems, type Selection } from '../table/read.ts';
import { childNoun, childrenPartition, linkKey } from './keys.ts';
import type { ChildAccount } from './schema.ts';
import { showChild } from './show-child.ts';

/** An account has at most this many child accounts. */
export const mostChildAccounts = 1000;

/** The entry of a child account in its parent's list. */
export interface ChildLink {
  /** A generated number that orders the list. */
  id: number;
  accountId: AccountId;
  childId: AccountId;
  accountTypeId?: number;
  /** A copy of the child's name, so that a search does not read the records of all children. */
  name: string;
  createdAt: string;
}

const linkItem = (link: ChildLink): Item => ({
  ...linkKey(link.accountId, link.childId),
  type: 'child-account',
  ...link,
});
const typeCounter = ({ accountId, accountTypeId }: ChildLink): Key[] =>
  accountTypeId === undefined ? [] : [quotaKey(accountId, childNoun, [String(accountTypeId)])];

type Consistency = Pick<Selection, 'eventual'>;

/** A child account and its entry in the parent's list. */
export interface FoundChild {
  link: ChildLink;
  child: StoredAccount;
}

/**
 * The child accounts of an account. The parent's list has an entry for each child, in one partition. The record of a child
 * is in the child's own partition.
 */
export const childAccounts = {
  /** Returns a child. Throws `not_found` for any other account. */
  async get(parent: AccountId, id: string): Promise<FoundChild> {
    const childId = asAccountId(id);
    const [entry, record] = childId ? await getItems([linkKey(parent, childId), accountKey(childId)]) : [];
    if (!entry || !record || isTombstone(record)) throw notFound('child account', id);
    return { link: recordOf<ChildLink>(entry), child: recordOf<StoredAccount>(record) };
  },

  /** Returns all entries, by the ids of the children. */
  async links(parent: AccountId, consistency: Consistency = {}): Promise<ChildLink[]> {
    const items = await queryItems({ partition: childrenPartition(parent), ...consistency });
    return items.map((item) => recordOf<ChildLink>(item));
  },

  /** Fails the transaction if the number of children is no longer that of these entries. */
  unchanged: (parent: AccountId, links: readonly ChildLink[]): Write =>
    checkCount(quotaKey(parent, childNoun), links.length),

  /** Newest first. */
  listOf(parent: AccountId, consistency: Consistency = {}): ListSource<ChildAccount, ChildLink> {
    const source = shortListSource(async () =>
      (await this.links(parent, consistency)).sort((one, other) => other.id - one.id),
    );
    return {
      ...source,
      async show(page) {
        const items = await getItems(page.map(({ childId }) => accountKey(childId)));
        return items.flatMap((item) =>
          item && !isTombstone(item) ? [showChild(recordOf<StoredAccount>(item))] : [],
        );
      },
    };
  },

  /** Throws `quota_exceeded` if the account already has 1,000 child accounts. */
  insert: (link: ChildLink): Write[] => [
    putIfAbsent(linkItem(link)),
    addWithinQuota(quotaKey(link.accountId, childNoun), mostChildAccounts),
    ...typeCounter(link).map((key) => addToCounter(key, 1)),
  ],

  /** Returns the write that copies a new name of an account to its parent's list; none for an account without a parent. */
  rename: (before: StoredAccount, { id, name, parentAccountId }: StoredAccount): Write[] =>
    before.name === name || parentAccountId === undefined
      ? []
      : [setIfPresent(linkKey(parentAccountId, id), 'name', name)],

  replace: (before: ChildLink, after: ChildLink): Write[] => [
    putItem(linkItem(after)),
    ...typeCounter(before).map((key) => addToCounter(key, -1)),
    ...typeCounter(after).map((key) => addToCounter(key, 1)),
  ],

  delete: (link: ChildLink): Write[] => [
    deleteItem(linkKey(link.accountId, link.childId)),
    addToCounter(quotaKey(link.accountId, childNoun), -1),
    ...typeCounter(link).map((key) => addToCounter(key, -1)),
  ],
};

/** Returns the writes that remove an erased account from the list of its parent; none for an account without a parent. */
export async function leaveParent({
  id,
  parentAccountId,
}: Pick<StoredAccount, 'id' | 'parentAccountId'>): Promise<Write[]> {
  const item = parentAccountId && (await getItem(linkKey(parentAccountId, id)));
  return item ? childAccounts.delete(recordOf<ChildLink>(item)) : [];
}

/** The lowest level of the tree. The accounts that an operator creates are on level 1. */
export const mostDepth = 3;

/** Throws `accounts_too_deep` if an account at this depth would be below the lowest level. */
export function requireDepth(depth: number): void {
  if (depth > mostDepth) throw new ApiError('accounts_too_deep');
}
