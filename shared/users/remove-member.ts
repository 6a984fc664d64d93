import { happened } from '../../events/announce.ts';
import type { Announcement } from '../../events/event.ts';
import type { Caller } from '../auth/caller.ts';
import { Refusal } from '../http/errors.ts';
import type { Roles } from '../roles/role.ts';
import { revise } from '../table/revise.ts';
import type { Write } from '../table/write.ts';
import { isSelf, requireReachOf, stillAdministrator } from './member.ts';
import type { Member } from './user-view.ts';
import { memberships, users } from './users.ts';

/** Ends a membership; with its last one the user itself goes, and its email is free again. */
export function removeMember(
  { user, membership }: Member,
  roles: Roles,
  caller: Caller,
  now: Date,
): { writes: Write[]; events: Announcement[] } {
  requireReachOf(caller, membership, roles);
  if (isSelf(caller, membership)) throw new Refusal('own_membership');
  const accountIds = user.accountIds.filter((id) => id !== membership.accountId);
  const isLast = accountIds.length === 0;
  const notificationPreferences = user.notificationPreferences.filter(
    ({ accountId }) => accountId !== membership.accountId,
  );
  // Whoever ends the membership at home gives the user up for good: adding it again does not bring it back.
  const owner = user.owner === membership.accountId ? null : undefined;
  const after = revise(user, { accountIds, notificationPreferences, owner }, caller.actor.user, now);
  return {
    writes: [
      ...memberships.erase(membership),
      ...(membership.accountAdmin ? [stillAdministrator(membership.accountId, caller)] : []),
      ...(isLast ? users.delete(user, now) : users.replace(user, after)),
    ],
    events: [
      ...happened('user_removed_from_account', 'user', membership),
      ...(isLast ? happened('user_deleted', 'user', membership) : []),
    ],
  };
}
