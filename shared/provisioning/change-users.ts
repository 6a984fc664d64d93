import { ApiError } from '../errors.ts';
import { created, updated } from '../events/emit.ts';
import type { Effects, EventDraft } from '../events/envelope.ts';
import { subjectOf } from '../events/subject.ts';
import type { AccountId } from '../id/account-id.ts';
import { mintId } from '../id/mint.ts';
import { endOfPerson } from '../people/impersonation-records/open-impersonations.ts';
import type { Roles } from '../people/roles/schema.ts';
import { endSessionsOf } from '../people/users/end-sessions-of.ts';
import { createMember, inviteMember, mustBeInvited } from '../people/users/invite-user.ts';
import { keepsAdministrator } from '../people/users/leave-account.ts';
import { type InvitingRequest, takeInvitation, takeRenewal } from '../people/users/limit-invitations.ts';
import { memberForEvents } from '../people/users/make-user.ts';
import { endMembership } from '../people/users/remove-member.ts';
import { belongsOnlyTo } from '../people/users/rules.ts';
import type { InvitedUser, Membership } from '../people/users/schema.ts';
import type { Member } from '../people/users/show-user.ts';
import { memberships, users } from '../people/users/store.ts';
import type { SignedIn } from '../security/principal.ts';
import { departureResult, readDeparture } from '../support/reassignments/start-reassignment.ts';
import type { Write } from '../table/operations.ts';
import { type Authored, revise } from '../table/revise.ts';
import { scimError } from './scim-failure.ts';
import type { WantedUser } from './scim-user.ts';

interface ProvisioningRequest extends Authored, InvitingRequest {
  account: AccountId;
  principal: SignedIn;
}

type ChangedMember = Effects & { membership: Membership };

/**
 * Creates a membership for a new person, who gets no mail. A person who exists elsewhere is invited with a mailed token, as by
 * POST /users/{email}/accounts. So provisioning changes nothing that the person has elsewhere. Throws `uniqueness`,
 * `quota_exceeded` and `too_many_requests`.
 */
export async function createProvisioned(
  { email, active, name, provisioned }: WantedUser,
  known: InvitedUser | undefined,
  all: Roles,
  request: ProvisioningRequest,
): Promise<ChangedMember> {
  const { account } = request;
  if (known && [...known.accountIds, ...known.invitations].includes(account))
    throw scimError('uniqueness', `The account already has a user with the userName ${email}.`);
  const granted = { ...(name !== undefined && { name }), active: active ?? true, provisioned };
  const isInvited = known !== undefined && mustBeInvited(known);
  const { member, writes } = isInvited
    ? inviteMember(known, granted, all, request)
    : createMember({ email, ...granted, mailed: false }, known, all, request);
  const { membership } = member;
  if (membership.invitationId !== undefined) await takeInvitation(email, request);
  const kind = isInvited ? 'user_added_to_account' : 'user_created';
  return { membership, writes, events: created(users, kind, memberForEvents(membership)) };
}

/**
 * Changes a membership to the values of an identity provider. A deactivation ends the sessions of the person in this account
 * and the impersonations of and by the person, and reassigns the person's records, in the same transaction. Throws
 * `mutability` and `last_administrator`.
 */
export async function changeProvisioned(
  { user, membership }: Member,
  wanted: WantedUser,
  reassignTo: string | undefined,
  request: ProvisioningRequest,
): Promise<ChangedMember> {
  const { now } = request;
  if (wanted.email !== membership.email)
    throw scimError(
      'mutability',
      'userName cannot change, because the person signs in with it. Delete the user, and create it with the new userName.',
    );
  const { active = membership.active, name, provisioned } = wanted;
  const [leaves, returns] = [membership.active && !active, !membership.active && active];
  const after = revise(
    membership,
    {
      ...{ active, name, provisioned },
      ...(leaves && { invitationId: null, sessionsEndedAt: now.toISOString() }),
      // A person who has an account elsewhere needs a new token. Others set a password with a reset token.
      ...(returns && membership.invited && { invitationId: mintId(now) }),
    },
    request,
  );
  await takeRenewal(membership, after, request);
  const [from, to] = [memberForEvents(membership), memberForEvents(after)];
  const left = leaves ? await leave({ user, membership }, reassignTo, request) : [];
  return {
    membership: after,
    writes: [...memberships.replace(membership, after), ...left],
    events: updated(users, 'user_updated', from, to),
  };
}

/** Removes a membership as DELETE /users/{email} does. Throws `last_administrator`. */
export async function removeProvisioned(
  member: Member,
  reassignTo: string | undefined,
  request: ProvisioningRequest,
): Promise<Effects> {
  const { membership } = member;
  const [still, reassigned, { writes, events }] = await Promise.all([
    keepsAdministrator(membership),
    reassignedFrom(membership, reassignTo, request),
    endMembership(member, request),
  ]);
  return { writes: [...writes, ...still, ...reassigned], events };
}

async function leave(
  { user, membership }: Member,
  reassignTo: string | undefined,
  request: ProvisioningRequest,
): Promise<Write[]> {
  const { account } = request;
  // In other accounts, the sessions of the person go on.
  const [still, ended, reassigned] = await Promise.all([
    keepsAdministrator(membership),
    belongsOnlyTo(account, user)
      ? endSessionsOf(user, request).then(({ writes }) => writes)
      : endOfPerson([account], user.id, request),
    reassignedFrom(membership, reassignTo, request),
  ]);
  return [...ended, ...still, ...reassigned];
}

/**
 * Returns the writes that reassign the person's records. The permissions are those of the administrator who chose the target.
 * If the target is no longer an active user, the records keep their assignee, because nothing may prevent a lockout.
 */
async function reassignedFrom(
  { id }: Membership,
  to: string | undefined,
  { account, principal, now }: ProvisioningRequest,
): Promise<Write[]> {
  if (to === undefined) return [];
  const permissions = new Set(['writeLeads', 'writeTickets', 'writeApplications', 'writeMerchants'] as const);
  try {
    const departure = await readDeparture(account, id, to);
    return departureResult(departure, { account, principal: { ...principal, permissions }, now }).writes;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'user_unknown') return [];
    throw error;
  }
}

/** Changes the rights of a member. If the rights of an invited person grow, a new token replaces the older one. */
export function withRights(
  membership: Membership,
  change: Pick<Partial<Membership>, 'roleIds'> & { teamId?: number | null },
  request: Authored,
): Membership {
  const after = revise(membership, change, request);
  const grows = after.roleIds.some((id) => !membership.roleIds.includes(id));
  // The account knows the older token. A person without a token has nothing to renew, and gets no mail.
  return grows && membership.invitationId !== undefined
    ? { ...after, invitationId: mintId(request.now) }
    : after;
}

/** Returns the events of changed rights. `namesOf` returns the names of a member's roles. */
export const rightsEvents = (
  membership: Membership,
  after: Membership,
  namesOf: (member: Membership) => string[],
): EventDraft[] => {
  const [from, to] = [namesOf(membership), namesOf(after)];
  const subject = subjectOf(users, after);
  return [
    ...(from.join() === to.join()
      ? []
      : [{ kind: 'user_roles_updated' as const, subject, data: { from, to } }]),
    ...updated(users, 'user_updated', memberForEvents(membership), memberForEvents(after)),
  ];
};
