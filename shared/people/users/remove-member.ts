import { ApiError } from '../../errors.ts';
import { happened } from '../../events/emit.ts';
import type { Effects } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { SignedIn } from '../../security/principal.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { type Authored, type Revision, revise } from '../../table/revise.ts';
import { identities } from '../identities/store.ts';
import { endOfPerson, endsThatFit } from '../impersonation-records/open-impersonations.ts';
import type { Roles } from '../roles/schema.ts';
import { teamTrees } from '../team-trees/store.ts';
import { withoutManager } from '../team-trees/team-tree.ts';
import { requireHoldsAllOf } from './find-member.ts';
import { isSelf } from './is-self.ts';
import { activeAdministrator } from './membership-conditions.ts';
import type { InvitedUser } from './schema.ts';
import type { Member } from './show-user.ts';
import { memberships, users } from './store.ts';

/**
 * Returns the changes of a person who no longer belongs to an account. Returns undefined if no membership or invitation
 * remains. If only invitations remain, removes a password that is not proved, because the account may know it. Any account
 * may then create the person, who has not accepted its membership.
 */
export function withoutAccount(user: InvitedUser, account: AccountId): Revision<InvitedUser> | undefined {
  const accountIds = user.accountIds.filter((id) => id !== account);
  const invitations = user.invitations.filter((id) => id !== account);
  if (accountIds.length + invitations.length === 0) return undefined;
  const { [account]: _, ...rulesVersions } = user.rulesVersions ?? {};
  return {
    accountIds,
    invitations,
    notificationPreferences: user.notificationPreferences.filter(({ accountId }) => accountId !== account),
    ...(user.rulesVersions && { rulesVersions }),
    ...(accountIds.length === 0 &&
      !user.proved && { passwordHash: null, accepted: false, sessionEpoch: user.sessionEpoch + 1 }),
  };
}

export async function removeMember(
  member: Member,
  roles: Roles,
  request: Authored & { principal: SignedIn },
): Promise<Effects> {
  const { membership } = member;
  const { principal } = request;
  requireHoldsAllOf(principal, membership, roles);
  if (isSelf(principal, membership)) throw new ApiError('own_membership');
  const { writes, events } = await endMembership(member, request);
  if (!membership.accountAdmin) return { writes, events };
  const still = activeAdministrator(membership.accountId, principal.id, new ApiError('administrator_only'));
  return { writes: [...writes, still], events };
}

/**
 * Ends a membership or an invitation, with the impersonations of and by the person, and the sessions by single sign-on. The
 * person no longer manages teams. If no other account remains, also deletes the user and releases the email.
 */
export async function endMembership({ user, membership }: Member, author: Authored): Promise<Effects> {
  const account = membership.accountId;
  const [person, ended, endedLink, tree] = await inParallel([
    users.withInvitations(user),
    endOfPerson([account], user.id, author),
    identities.endLink(membership),
    membership.managedTeamIds && teamTrees.find(account),
  ]);
  const left = withoutAccount(person, account);
  const isLast = left === undefined;
  return {
    writes: [
      ...memberships.hardDelete(membership),
      ...(left ? users.replace(person, revise(person, left, author)) : users.delete(person, author.now)),
      ...endsThatFit(ended, endedLink.length),
      ...endedLink,
      // Otherwise, a new membership of the person would manage the same teams.
      ...(tree ? [teamTrees.replace(account, tree, withoutManager(tree, user.id))] : []),
    ],
    events: [
      ...happened(users, 'user_removed_from_account', membership),
      ...(isLast ? happened(users, 'user_deleted', membership) : []),
    ].map((draft) => ({ ...draft, account })),
  };
}
