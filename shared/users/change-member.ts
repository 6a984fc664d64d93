import type { AccountId } from '../accounts/account-id.ts';
import type { Caller } from '../auth/caller.ts';
import { Refusal } from '../http/errors.ts';
import type { Roles } from '../roles/role.ts';
import { revise } from '../table/revise.ts';
import type { Write } from '../table/write.ts';
import { isSelf, requireOwner, requireReachOf } from './member.ts';
import { activeAdministrator } from './member-guards.ts';
import type { Membership, UserPatch } from './user.ts';
import type { Member } from './user-view.ts';
import { memberships, users } from './users.ts';

interface Circumstances {
  roles: Roles;
  caller: Caller;
  account: AccountId;
  now: Date;
}

/**
 * Applies a change to a member. The profile belongs to the user and is copied into every membership; the rest
 * belongs to the membership in the named account. Refuses whoever may change neither.
 */
export function changeMember(
  { user, membership }: Member,
  elsewhere: readonly Membership[],
  { active, teamId, accountAdmin, ...profile }: UserPatch,
  { roles, caller, account, now }: Circumstances,
): { after: Member; writes: Write[] } {
  if (Object.keys(profile).length > 0) requireOwner(caller, account, user);
  const standing = { active, teamId, accountAdmin };
  if (Object.values(standing).some((value) => value !== undefined))
    checkStanding(standing, membership, roles, caller);

  const by = caller.actor.user;
  const after = {
    // Whoever was deactivated before its first password gets in by a reset mail.
    user: revise(user, { ...profile, ...(active === false && { invitationOpen: null }) }, by, now),
    membership: revise(membership, { ...profile, ...standing }, by, now),
  };
  const loses = membership.accountAdmin && !(after.membership.accountAdmin && after.membership.active);
  // Two who take the right from each other at once must not both succeed, and leave the account with none.
  const still = activeAdministrator(account, caller.id, new Refusal('administrator_only'));
  return {
    after,
    writes: [
      ...memberships.replace(membership, after.membership),
      // The copies elsewhere follow; who made the change is not theirs to know.
      ...elsewhere.flatMap((one) => memberships.replace(one, revise(one, profile, undefined, now))),
      ...users.replace(user, after.user),
      ...(loses ? [still] : []),
    ],
  };
}

function checkStanding(
  standing: Pick<UserPatch, 'active' | 'accountAdmin'>,
  membership: Membership,
  roles: Roles,
  caller: Caller,
): void {
  if (!caller.permissions.has('writeUsers')) throw new Refusal('permission_denied');
  if (standing.accountAdmin !== undefined && !caller.administrator) throw new Refusal('administrator_only');
  requireReachOf(caller, membership, roles);
  // Somebody else must take it away, so that an account never loses its last administrator.
  if (isSelf(caller, membership) && (standing.active === false || standing.accountAdmin === false))
    throw new Refusal('own_membership');
}
