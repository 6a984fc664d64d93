import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { SignedIn } from '../../security/principal.ts';
import type { Write } from '../../table/operations.ts';
import { type Authored, revise } from '../../table/revise.ts';
import type { Roles } from '../roles/schema.ts';
import { isSelf, requireHoldsAllOf, requireOwner } from './find-member.ts';
import { activeAdministrator } from './membership-conditions.ts';
import type { Membership, UserPatch } from './schema.ts';
import type { Member } from './show-user.ts';
import { memberships, users } from './store.ts';

interface MembershipContext extends Authored {
  principal: SignedIn;
  account: AccountId;
}

/** The errors of `updateMembership`. */
export const membershipErrors = [
  'owner_account_only',
  'permission_denied',
  'administrator_only',
  'holds_more',
  'own_membership',
] as const;

/**
 * Changes a membership and the user's profile. Copies the profile to all memberships. Throws if the principal may not
 * make the change.
 */
export function updateMembership(
  { user, membership }: Member,
  elsewhere: readonly Membership[],
  { active, teamId, accountAdmin, ...profile }: UserPatch,
  roles: Roles,
  request: MembershipContext,
): { after: Member; writes: Write[] } {
  const { principal, account } = request;
  if (Object.keys(profile).length > 0) requireOwner(principal, account, user);
  const access = { active, teamId, accountAdmin };
  if (Object.values(access).some((value) => value !== undefined))
    checkMembershipChange(access, membership, roles, principal);

  const after = {
    // After a deactivation, the invitation cannot set the first password. Only a password reset can set it.
    user: revise(user, { ...profile, ...(active === false && { invitationOpen: null }) }, request),
    membership: revise(membership, { ...profile, ...access }, request),
  };
  const loses = membership.accountAdmin && !(after.membership.accountAdmin && after.membership.active);
  // Without this condition, two administrators could demote each other concurrently, and no administrator would remain.
  const still = activeAdministrator(account, principal.id, new ApiError('administrator_only'));
  return {
    after,
    writes: [
      ...memberships.replace(membership, after.membership),
      // Passes no principal to `revise`, because other accounts must not see who made the change.
      ...elsewhere.flatMap((one) => memberships.replace(one, revise(one, profile, { now: request.now }))),
      ...users.replace(user, after.user),
      ...(loses ? [still] : []),
    ],
  };
}

function checkMembershipChange(
  access: Pick<UserPatch, 'active' | 'accountAdmin'>,
  membership: Membership,
  roles: Roles,
  principal: SignedIn,
): void {
  if (!principal.permissions.has('writeUsers')) throw new ApiError('permission_denied');
  if (access.accountAdmin !== undefined && !principal.administrator) throw new ApiError('administrator_only');
  requireHoldsAllOf(principal, membership, roles);
  // Administrators cannot demote or deactivate themselves, so that an account always has an administrator.
  if (isSelf(principal, membership) && (access.active === false || access.accountAdmin === false))
    throw new ApiError('own_membership');
}
