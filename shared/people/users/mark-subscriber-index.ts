import type { AccountId } from '../../id/account-id.ts';
import { deleteItem, putItem, type Write } from '../../table/operations.ts';
import { sameValue } from '../../table/revise.ts';
import { subscriberKey } from './keys.ts';
import { ownRules } from './own-rules.ts';
import type { Membership, StoredUser } from './schema.ts';

/** Marks a user whose rows in the subscriber index of an account may be out of date. */
export interface SubscriberIndexMarker {
  id: number;
  home: AccountId;
  /** The rows must be updated to this version of the user. */
  version: number;
  at: string;
}

/**
 * Marks a changed user in each account where the user's rules changed. Until the user's rows are rewritten,
 * notifications use the rules in the user record. `before` is undefined for a new user.
 */
export function markSubscriberIndexes(before: StoredUser | undefined, after: StoredUser): Write[] {
  const accounts = new Set([...(before?.accountIds ?? []), ...after.accountIds]);
  const rulesIn = (user: StoredUser | undefined, account: AccountId) =>
    user ? [...ownRules(user, account)].sort(([one], [other]) => (one < other ? -1 : 1)) : [];
  return [...accounts]
    .filter((account) => !sameValue(rulesIn(before, account), rulesIn(after, account)))
    .flatMap((account) => markSubscriberIndex(account, after));
}

export const markSubscriberIndex = (
  account: AccountId,
  { id, home, version, updatedAt }: Pick<StoredUser, 'id' | 'home' | 'version' | 'updatedAt'>,
): Write[] => {
  const marker: SubscriberIndexMarker = { id, home, version, at: updatedAt };
  return [putItem({ ...subscriberKey(account, 'CHANGED', id), type: 'subscriber-marker', ...marker })];
};

/** Updates an account's list of administrators after a membership was added, changed or removed. */
export function updateAdministratorList(
  before: Membership | undefined,
  after: Membership | undefined,
): Write[] {
  const membership = after ?? before;
  if (!membership || (before?.accountAdmin ?? false) === (after?.accountAdmin ?? false)) return [];
  const key = subscriberKey(membership.accountId, 'ADMINISTRATORS', membership.id);
  return [after?.accountAdmin ? putItem({ ...key, type: 'administrator' }) : deleteItem(key)];
}
