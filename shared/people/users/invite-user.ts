import { ApiError } from '../../errors.ts';
import { normalizeEmail } from '../../formats.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintId } from '../../id/mint.ts';
import type { Principal } from '../../security/principal.ts';
import type { TransactItem, Write } from '../../table/operations.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { grantRoles } from '../roles/grant-roles.ts';
import type { Roles } from '../roles/schema.ts';
import { newMembership, newUser } from './make-user.ts';
import { replaceRules, rulesFromRequest } from './notification-preferences.ts';
import type { InvitedUser, Membership, MembershipInput, StoredUser, UserInput } from './schema.ts';
import type { Member } from './show-user.ts';
import { memberships, users } from './store.ts';

interface InvitationContext extends Authored {
  account: AccountId;
  principal: Principal;
}

/**
 * The maximum number of open invitations of a person. More of them would only hide each other, and the item with their
 * accounts must stay small.
 */
const maxInvitations = 50;

/** The fields that an identity provider sets for an invited person. */
type ProvisionedFields = Pick<Partial<Membership>, 'name' | 'active' | 'provisioned'>;

interface Invited {
  member: Member;
  writes: Write[];
}

/**
 * Creates a person with a membership in the account. `known` is the person with this email, who must have no membership
 * and no proved password. Otherwise, the account could set the password of a person who has not accepted. The name, phone,
 * picture and rules apply to this account only. Throws `email_exists`, `already_member`, and errors for roles and
 * preferences that are not allowed. With `mailed: false`, the person gets no invitation token, and sets a password with a reset
 * token. `otherwise`: thrown if another request has created the person meanwhile.
 */
export function createMember(
  {
    email,
    notificationPreferences = [],
    roles = [],
    mailed = true,
    ...granted
  }: UserInput & Pick<Partial<Membership>, 'accountAdmin' | 'provisioned'> & { mailed?: boolean },
  known: InvitedUser | undefined,
  all: Roles,
  request: InvitationContext,
  otherwise?: TransactItem['otherwise'],
): Invited {
  const { account, principal, now } = request;
  const before = known ?? newUser(normalizeEmail(email), request);
  if (known?.accountIds.length === 0 && known.invitations.includes(account))
    throw new ApiError('already_member');
  if (known && mustBeInvited(known)) throw new ApiError('email_exists');
  const accountIds = [account];
  const sent = rulesFromRequest(notificationPreferences);
  const rules = replaceRules({ ...before, accountIds }, sent, account, false);
  const roleIds = grantRoles(all, roles, principal);
  const invitationId = granted.active === false || !mailed ? undefined : mintId(now);
  const membership = newMembership(before, { ...granted, roleIds, invitationId }, request);
  const user = known
    ? revise(known, { accountIds, accepted: false, notificationPreferences: rules }, request)
    : { ...before, accepted: false, notificationPreferences: rules };
  return {
    member: { user, membership },
    writes: [
      ...(known ? users.replace(known, user) : users.insert(user, otherwise)),
      ...memberships.insert(membership),
    ],
  };
}

/** Reports whether an account invites a person instead of creating the person. */
export const mustBeInvited = ({ accountIds, proved }: StoredUser): boolean =>
  accountIds.length > 0 || proved === true;

/**
 * Invites a person of another account. The membership has no effect until the person accepts with the mailed token. Throws
 * `administrator_only`, `already_member` and `quota_exceeded`.
 */
export function inviteMember(
  user: InvitedUser,
  { accountAdmin, roles = [], ...given }: MembershipInput & ProvisionedFields,
  all: Roles,
  request: InvitationContext,
): Invited {
  const { account, principal, now } = request;
  if (accountAdmin && !principal.administrator) throw new ApiError('administrator_only');
  if ([...user.accountIds, ...user.invitations].includes(account)) throw new ApiError('already_member');
  if (user.invitations.length >= maxInvitations)
    throw new ApiError('quota_exceeded', {
      message: `A user can have at most ${maxInvitations} open invitations. The user must answer one first.`,
    });
  const roleIds = grantRoles(all, roles, principal);
  const after = revise(user, { invitations: [...user.invitations, account] }, request);
  const invitationId = given.active === false ? undefined : mintId(now);
  const granted = { ...given, accountAdmin, roleIds, invited: true, invitationId } as const;
  const membership = newMembership(user, granted, request);
  return {
    member: { user: after, membership },
    writes: [...memberships.insert(membership), ...users.replace(user, after)],
  };
}
