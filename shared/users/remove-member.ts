import { happened } from '../../events/announce.ts';
import type { Announcement } from '../../events/event.ts';
import type { Caller } from '../auth/caller.ts';
import { Refusal } from '../http/errors.ts';
import type { Roles } from '../roles/role.ts';
import { revise } from '../table/revise.ts';
import type { Write } from '../table/write.ts';
import { isSelf, requireReachOf } from './member.ts';
import { activeAdministrator } from './member-guards.ts';
import type { Member } from './user-view.ts';
import { memberships, users } from './users.ts';

interface Ended {
  writes: Write[];
  events: Announcement[];
}

/** Removes somebody else from the account, or takes an invitation back. */
export function removeMember(member: Member, roles: Roles, caller: Caller, now: Date): Ended {
  const { membership } = member;
  requireReachOf(caller, membership, roles);
  if (isSelf(caller, membership)) throw new Refusal('own_membership');
  const { writes, events } = endMembership(member, caller.actor.user, now);
  if (!membership.accountAdmin) return { writes, events };
  const still = activeAdministrator(membership.accountId, caller.id, new Refusal('administrator_only'));
  return { writes: [...writes, still], events };
}

/** Ends a membership or an invitation; with the last of them the user itself goes, and its email is free again. */
export function endMembership({ user, membership }: Member, by: string, now: Date): Ended {
  const account = membership.accountId;
  const others = (ids: readonly string[]) => ids.filter((id) => id !== account);
  const accountIds = others(user.accountIds);
  const invitedTo = user.invitedTo && others(user.invitedTo);
  const isLast = accountIds.length + (invitedTo?.length ?? 0) === 0;
  const notificationPreferences = user.notificationPreferences.filter(
    ({ accountId }) => accountId !== account,
  );
  // Whoever ends the membership at home gives the user up for good: adding it again does not bring it back.
  const owner = user.owner === account ? null : undefined;
  const after = revise(user, { accountIds, invitedTo, notificationPreferences, owner }, by, now);
  return {
    writes: [
      ...memberships.erase(membership),
      ...(isLast ? users.delete(user, now) : users.replace(user, after)),
    ],
    events: [
      ...happened('user_removed_from_account', 'user', membership),
      ...(isLast ? happened('user_deleted', 'user', membership) : []),
    ].map((announcement) => ({ ...announcement, account })),
  };
}
