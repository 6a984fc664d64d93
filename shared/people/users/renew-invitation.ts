import { updated } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { mintId } from '../../id/mint.ts';
import { type InvitingRequest, takeRenewal } from './limit-invitations.ts';
import { memberForEvents } from './make-user.ts';
import type { Membership } from './schema.ts';
import type { Member } from './show-user.ts';
import { memberships, users } from './store.ts';

/**
 * Returns the changed membership of a person who has not answered yet, with a new invitation if its rights grew. The new
 * invitation replaces the older one. Otherwise, the account that knows the older token would get the new rights.
 * An inactive membership has no invitation. Does not change the membership of other persons.
 */
export function renewInvitation({ user, membership }: Member, after: Membership, now: Date): Membership {
  if (!membership.invited && user.passwordHash !== undefined) return after;
  const { invitationId, ...others } = after;
  if (!after.active) return others;
  return hasGrown(membership, after) ? { ...others, invitationId: mintId(now) } : after;
}

/**
 * Returns the change of the rights of a member. `events` are the events of the change. Another event sends a new token.
 * Throws `too_many_requests`.
 */
export async function changeRights(
  member: Member,
  after: Membership,
  request: InvitingRequest,
  events: readonly EventDraft[],
) {
  const { user, membership } = member;
  const renewed = renewInvitation(member, after, request.now);
  await takeRenewal(membership, renewed, request);
  return {
    member: { user, membership: renewed },
    writes: memberships.replace(membership, renewed),
    events: [...events, ...updated(users, 'user_updated', memberForEvents(after), memberForEvents(renewed))],
  };
}

const hasGrown = (before: Membership, after: Membership): boolean =>
  (after.active && !before.active) ||
  (after.accountAdmin && !before.accountAdmin) ||
  after.roleIds.some((id) => !before.roleIds.includes(id)) ||
  after.flatPermissionsList.some((name) => !before.flatPermissionsList.includes(name));
