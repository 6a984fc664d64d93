import type { AccountId } from '../../id/account-id.ts';
import { deleteItem, putItem, type Write } from '../../table/operations.ts';
import { sameValue } from '../../table/revise.ts';
import { subscriberKey } from './keys.ts';
import { ownRules } from './own-rules.ts';
import type { Membership, StoredUser } from './schema.ts';

/** A user whose rows in an account's audiences may no longer be what its own record says. */
export interface SubscriberIndexMarker {
  /** The user's. */
  id: number;
  home: AccountId;
  /** The version of the user's record that the rows have to follow. */
  version: number;
  /** When it was written. */
  at: string;
}

/**
 * The marks of a change of a user, one for each account in which other rules of it count from now on: an audience then
 * goes by the user's own record until its rows are rewritten. Left out: the user is new.
 */
export function markSubscriberIndexes(before: StoredUser | undefined, after: StoredUser): Write[] {
  const accounts = new Set([...(before?.accountIds ?? []), ...after.accountIds]);
  const rulesIn = (user: StoredUser | undefined, account: AccountId) =>
    user ? [...ownRules(user, account)].sort(([one], [other]) => (one < other ? -1 : 1)) : [];
  return [...accounts]
    .filter((account) => !sameValue(rulesIn(before, account), rulesIn(after, account)))
    .flatMap((account) => markSubscriberIndex(account, after));
}

/** The mark that a user's rows in an account's audiences are to be rewritten. */
export const markSubscriberIndex = (
  account: AccountId,
  { id, home, version, updatedAt }: Pick<StoredUser, 'id' | 'home' | 'version' | 'updatedAt'>,
): Write[] => {
  const marker: SubscriberIndexMarker = { id, home, version, at: updatedAt };
  return [putItem({ ...subscriberKey(account, 'CHANGED', id), type: 'audience-marker', ...marker })];
};

/** The list of an account's administrators after a change of a membership; left out: it is new, or it is gone. */
export function updateAdministratorList(
  before: Membership | undefined,
  after: Membership | undefined,
): Write[] {
  const membership = after ?? before;
  if (!membership || (before?.accountAdmin ?? false) === (after?.accountAdmin ?? false)) return [];
  const key = subscriberKey(membership.accountId, 'ADMINISTRATORS', membership.id);
  return [after?.accountAdmin ? putItem({ ...key, type: 'administrator' }) : deleteItem(key)];
}
