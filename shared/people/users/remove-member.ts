import { ApiError } from '../../errors.ts';
import { happened } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { SignedIn } from '../../security/principal.ts';
import type { Write } from '../../table/operations.ts';
import { type Authored, revise } from '../../table/revise.ts';
import type { Roles } from '../roles/schema.ts';
import { isSelf, requireHoldsAllOf } from './find-member.ts';
import { activeAdministrator } from './membership-conditions.ts';
import type { Member } from './show-user.ts';
import { memberships, users } from './store.ts';

export interface MembershipChange {
  writes: Write[];
  events: EventDraft[];
}

export function removeMember(
  member: Member,
  roles: Roles,
  request: Authored & { principal: SignedIn },
): MembershipChange {
  const { membership } = member;
  const { principal } = request;
  requireHoldsAllOf(principal, membership, roles);
  if (isSelf(principal, membership)) throw new ApiError('own_membership');
  const { writes, events } = endMembership(member, request);
  if (!membership.accountAdmin) return { writes, events };
  const still = activeAdministrator(membership.accountId, principal.id, new ApiError('administrator_only'));
  return { writes: [...writes, still], events };
}

/** Ends a membership or an invitation. If no other account remains, also deletes the user and releases the email. */
export function endMembership({ user, membership }: Member, author: Authored): MembershipChange {
  const account = membership.accountId;
  const others = (ids: readonly AccountId[]) => ids.filter((id) => id !== account);
  const accountIds = others(user.accountIds);
  const invitedTo = user.invitedTo && others(user.invitedTo);
  const isLast = accountIds.length + (invitedTo?.length ?? 0) === 0;
  const notificationPreferences = user.notificationPreferences.filter(
    ({ accountId }) => accountId !== account,
  );
  // An owning account that ends the membership loses ownership permanently, even if it adds the user again.
  const owner = user.owner === account ? null : undefined;
  const after = revise(user, { accountIds, invitedTo, notificationPreferences, owner }, author);
  return {
    writes: [
      ...memberships.hardDelete(membership),
      ...(isLast ? users.delete(user, author.now) : users.replace(user, after)),
    ],
    events: [
      ...happened(users, 'user_removed_from_account', membership),
      ...(isLast ? happened(users, 'user_deleted', membership) : []),
    ].map((draft) => ({ ...draft, account })),
  };
}
