import type { AccountId } from '../id/account-id.ts';
import { type Key, tenantPartition } from '../table/keys.ts';

/** The name of the list of child accounts, and of their counters: of all, and of each type. */
export const childNoun = 'CHILDACCOUNT';

export const childrenPartition = (parent: AccountId): string => tenantPartition(parent, childNoun);

/** The key of the entry of a child account in its parent's list. */
export const linkKey = (parent: AccountId, child: AccountId): Key => ({
  pk: childrenPartition(parent),
  sk: child,
});
