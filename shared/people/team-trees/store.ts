import type { AccountId } from '../../id/account-id.ts';
import { type Item, recordOf } from '../../table/item.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';
import { checkAbsent, checkAt, putIfAbsent, putIfVersion, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import type { TeamTree } from './team-tree.ts';

/** The tree with the number of its changes. The version is 0 if it was never stored. */
export interface StoredTree extends TeamTree {
  version: number;
}

export const treeKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'TEAMTREE'),
  sk: 'TEAMTREE',
});

export const treeOf = (item: Item | undefined): StoredTree =>
  item ? recordOf<StoredTree>(item) : { version: 0, teams: {} };

/**
 * The tree of an account's teams, in one item. Every change of the tree requires the version that it was computed from. So
 * the changes of an account happen one after the other: two of them cannot create a cycle, and the `managedTeamIds` that
 * each writes to the memberships in the same transaction belong to the new tree.
 */
export const teamTrees = {
  async find(account: AccountId): Promise<StoredTree> {
    return treeOf(await getItem(treeKey(account)));
  },

  /** Returns the write of a changed tree. If the tree is the same, returns a condition that it has not changed. */
  replace(account: AccountId, { version }: StoredTree, after: TeamTree | undefined): Write {
    const key = treeKey(account);
    if (!after) return version === 0 ? checkAbsent(key) : checkAt(key, version);
    const item = { ...key, type: 'team-tree', id: 'teams', version: version + 1, teams: after.teams };
    return version === 0 ? putIfAbsent(item) : putIfVersion(item, version);
  },
};
