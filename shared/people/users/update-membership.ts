import { ApiError } from '../../errors.ts';
import { updated } from '../../events/emit.ts';
import type { Effects } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { SignedIn } from '../../security/principal.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { endOfPerson } from '../impersonation-records/open-impersonations.ts';
import type { Roles } from '../roles/schema.ts';
import { membershipsElsewhere, requireHoldsAllOf } from './find-member.ts';
import { isProvedSelf, isSelf } from './is-self.ts';
import { type InvitingRequest, takeRenewal } from './limit-invitations.ts';
import { memberForEvents } from './make-user.ts';
import { activeAdministrator } from './membership-conditions.ts';
import { renewInvitation } from './renew-invitation.ts';
import type { Membership, StoredUser, UserPatch } from './schema.ts';
import type { Member } from './show-user.ts';
import { memberships, users } from './store.ts';

interface MembershipContext extends Authored, InvitingRequest {
  principal: SignedIn;
  account: AccountId;
}

/** The errors of `updateMembership`. */
export const membershipErrors = [
  'permission_denied',
  'administrator_only',
  'holds_more',
  'own_membership',
] as const;

type Profile = Pick<UserPatch, 'name' | 'phone' | 'imgSrc'>;

/**
 * Changes a membership. If the person sends a profile, also changes the person's own profile. Throws if the principal may
 * not make the change, and `too_many_requests` if it invites the person again too often.
 */
export async function updateMembership(
  { user, membership }: Member,
  { active, teamId, accountAdmin, ...profile }: UserPatch,
  roles: Roles,
  request: MembershipContext,
): Promise<Effects & { after: Member }> {
  const { principal, account, now } = request;
  const changesProfile = Object.keys(profile).length > 0;
  if (changesProfile && !isSelf(principal, membership) && !principal.administrator)
    throw new ApiError('administrator_only');
  const access = { active, teamId, accountAdmin };
  if (Object.values(access).some((value) => value !== undefined))
    checkMembershipChange(access, membership, roles, principal);

  const leaves = membership.active && active === false;
  const changed = revise(
    membership,
    { ...profile, ...access, ...(leaves && { sessionsEndedAt: now.toISOString() }) },
    request,
  );
  const own = changesProfile && isProvedSelf(principal, user);
  const after = {
    user: own ? revise(user, profile, request) : user,
    membership: renewInvitation({ user, membership }, changed, now),
  };
  await takeRenewal(membership, after.membership, request);
  const loses = membership.accountAdmin && !(after.membership.accountAdmin && after.membership.active);
  // Without this condition, two administrators could demote each other concurrently, and no administrator would remain.
  const still = activeAdministrator(account, principal.id, new ApiError('administrator_only'));
  const [from, to] = [memberForEvents(membership), memberForEvents(after.membership)];
  // Otherwise, a session of an impersonation would work again after the opposite change.
  const endsSessions = (['active', 'accountAdmin'] as const).some(
    (name) => after.membership[name] !== membership[name],
  );
  const ended = endsSessions ? await endOfPerson([account], membership.id, request) : [];
  const ofPerson = own
    ? await ownProfileChange(user, after.user, profile, request)
    : { writes: [], events: [] };
  return {
    after,
    writes: [
      ...memberships.replace(membership, after.membership),
      ...ofPerson.writes,
      ...ended,
      ...(loses ? [still] : []),
    ],
    events: [...updated(users, 'user_updated', from, to), ...ofPerson.events],
  };
}

/**
 * Returns the change of the person, and of the memberships in other accounts. An account that has entered another value
 * keeps it. Other accounts must not see who made the change, so its author is the system.
 */
async function ownProfileChange(
  before: StoredUser,
  after: StoredUser,
  profile: Profile,
  { account, now }: MembershipContext,
): Promise<Effects> {
  const elsewhere = await membershipsElsewhere(before, account);
  const names = Object.keys(profile) as (keyof Profile)[];
  const copied = (one: Membership) =>
    Object.fromEntries(
      names.filter((name) => one[name] === before[name]).map((name) => [name, profile[name]]),
    );
  const changes = elsewhere.map((one) => ({ one, revised: revise(one, copied(one), { now }) }));
  return {
    writes: [
      ...users.replace(before, after),
      ...changes.flatMap(({ one, revised }) => memberships.replace(one, revised)),
    ],
    events: changes.flatMap(({ one, revised }) =>
      updated(users, 'user_updated', memberForEvents(one), memberForEvents(revised)).map((draft) => ({
        ...draft,
        account: one.accountId,
        task: 'profile-change',
      })),
    ),
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
