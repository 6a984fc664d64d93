import type { AccountId } from '../id/account-id.ts';
import { factors } from '../people/factors/store.ts';
import { endOfPerson } from '../people/impersonation-records/open-impersonations.ts';
import { emailAcrossAccountsKey, factorsKey, subscriberKey, userKey } from '../people/users/keys.ts';
import { markSubscriberIndex } from '../people/users/mark-subscriber-index.ts';
import { withoutAccount } from '../people/users/remove-member.ts';
import type { InvitedUser, StoredUser } from '../people/users/schema.ts';
import { invitationWrites, passkeyHolderWrites, userItem, users } from '../people/users/store.ts';
import { deleteIfVersion, deleteItem, putIfAbsent, putItem, type Write } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { authoredBy, revise } from '../table/revise.ts';
import { transact, VersionConflict } from '../table/transact.ts';

/** Reports whether a user is stored in an account, is a member, was invited, or has preferences for the account. */
export const refersTo = (account: AccountId, user: StoredUser): boolean =>
  user.home === account ||
  user.accountIds.includes(account) ||
  (user.invitedTo ?? []).includes(account) ||
  user.notificationPreferences.some((preference) => preference.accountId === account);

/**
 * Removes an account from a user, in one transaction. If the user belongs to no other account, removes the
 * user and the email. If the user is stored in the account, moves the user to another of the user's accounts,
 * and the user must log in again. Returns undefined if another request changed the user in the meantime. The
 * next scan then finds the user again.
 */
export async function removeFromAccount(
  account: AccountId,
  user: InvitedUser,
  deadline: number,
): Promise<'removed' | 'kept' | undefined> {
  const left = withoutAccount(user, account);
  try {
    if (!left) {
      // If the user is stored in another account, `users.delete` leaves a tombstone there, so that the id is
      // not used again.
      const gone = [
        deleteIfVersion(userKey(user.home, user.id), user.version),
        deleteItem(emailAcrossAccountsKey(user.email)),
        ...invitationWrites(user, []),
        deleteItem(factorsKey(user.home, user.id)),
        ...passkeyHolderWrites(user, { hasPasskey: undefined }),
      ];
      await transact(user.home === account ? gone : users.delete(user, new Date()), deadline);
      return 'removed';
    }
    const after = revise(user, left, authoredBy('operator', new Date()));
    const [next = user.home] = [...after.accountIds, ...after.invitations];
    await transact(
      user.home === account ? await moved(user, { ...after, home: next }) : users.replace(user, after),
      deadline,
    );
    return 'kept';
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    return undefined;
  }
}

/**
 * Returns the writes that move a user to another account. Rewrites the user's pending markers in the
 * subscriber index, because a marker contains the account in which the user is stored. Replaces `createdBy`,
 * which may name a user of the erased account.
 */
async function moved(before: InvitedUser, moving: InvitedUser): Promise<Write[]> {
  const after = { ...moving, createdBy: 'operator' };
  const { id, email, home } = after;
  const marked = await Promise.all(
    after.accountIds.map(async (account) =>
      (await getItem(subscriberKey(account, 'CHANGED', id))) ? markSubscriberIndex(account, after) : [],
    ),
  );
  return [
    deleteIfVersion(userKey(before.home, id), before.version),
    putIfAbsent(userItem(after)),
    ...(await factors.move(before, after)),
    ...passkeyHolderWrites({ ...after, hasPasskey: undefined }, after),
    ...invitationWrites(before, []),
    ...invitationWrites({ ...after, invitations: [] }, after.invitations),
    putItem({ ...emailAcrossAccountsKey(email), type: 'email', id, home }),
    ...marked.flat(),
    // The sessions of the person end, because they name the former account.
    ...(await endOfPerson(after.accountIds, id, authoredBy('operator', new Date()))),
  ];
}
