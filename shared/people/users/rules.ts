import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Permission } from '../../resources/registry.ts';
import { withContained } from '../../security/permissions.ts';
import type { Principal } from '../../security/principal.ts';
import { permissionsOfAccount, usablePermissions } from '../roles/account-permissions.ts';
import type { Roles } from '../roles/schema.ts';
import { namesSelf } from './is-self.ts';
import type { Membership, StoredUser } from './schema.ts';

/**
 * Reports whether a member is active and has accepted the invitation. Other members have no permissions and get no
 * assignments.
 */
export const isActiveMember = ({ active, invited }: Pick<Membership, 'active' | 'invited'>): boolean =>
  active && !invited;

/** Returns the member named by a field. Throws `user_unknown` if the member does not exist or is not active. */
export function activeAssignee(member: Membership | undefined, field = 'assignedTo'): Membership {
  if (member && isActiveMember(member)) return member;
  throw notAssignable(field);
}

const notAssignable = (field: string) =>
  invalid(field, 'is not an active user of this account', 'user_unknown');

/**
 * Reports whether a text of a request is the email of another user, and the principal may not read users. Endpoints then
 * answer as if no user had this email. Otherwise, the response would show which addresses belong to users of the account.
 */
export const namesHiddenUser = (principal: Principal, name: string): boolean =>
  name.includes('@') && !principal.permissions.has('readUsers') && !namesSelf(principal, name);

/** Throws `user_unknown` if the value of a field names a user like `namesHiddenUser`. */
export function requireMayAssign(
  principal: Principal,
  assignedTo: string | null | undefined,
  field = 'assignedTo',
): void {
  if (assignedTo && namesHiddenUser(principal, assignedTo)) throw notAssignable(field);
}

/** Reports whether the person has accepted a membership with its mailed token. A reset token accepts none. */
export const hasAccepted = ({ accepted, proved }: Pick<StoredUser, 'accepted' | 'proved'>): boolean =>
  accepted ?? proved === true;

/** Reports whether the account is the only one with an accepted membership. Open invitations have no effect. */
export const belongsOnlyTo = (account: string, { accountIds }: Pick<StoredUser, 'accountIds'>): boolean =>
  accountIds.length === 1 && accountIds[0] === account;

/**
 * Returns the permissions from a member's roles and the permissions granted to the member directly, as far as the account
 * can use them.
 */
export function effectivePermissions(
  membership: Membership,
  roles: Roles | undefined,
): ReadonlySet<Permission> {
  const granted = membership.roleIds.flatMap((id) => roles?.roles[id]?.flatPermissionsList ?? []);
  return new Set(usablePermissions([...granted, ...membership.flatPermissionsList], roles));
}

/**
 * Returns the permissions of an active member, with the limited ones that they contain. An administrator has all permissions
 * that the account can use.
 */
export const permissionsAsMember = (
  membership: Membership,
  roles: Roles | undefined,
): ReadonlySet<Permission> =>
  withContained(
    membership.accountAdmin ? permissionsOfAccount(roles) : effectivePermissions(membership, roles),
  );

/** Returns the permissions that a member may use: none before the invitation is accepted, or while inactive. */
export function grantedTo(membership: Membership, roles: Roles | undefined): ReadonlySet<Permission> {
  if (!isActiveMember(membership)) return new Set();
  return permissionsAsMember(membership, roles);
}

/** Reports whether the account ended the member's sessions after a session began. This session no longer acts in the account. */
export const endedFor = (
  { sessionsEndedAt }: Pick<Membership, 'sessionsEndedAt'>,
  sessionBeganAt: string | undefined,
): boolean =>
  sessionsEndedAt !== undefined && sessionBeganAt !== undefined && sessionBeganAt <= sessionsEndedAt;

/** Returns the names of a member's roles. Deleted roles are skipped. */
export const roleNames = ({ roleIds }: Membership, roles: Roles | undefined): string[] =>
  roleIds.flatMap((id) => roles?.roles[id]?.name ?? []);

/** Returns all permissions of a member, whether or not the member is active. */
export const memberPermissions = (membership: Membership, roles: Roles | undefined): string[] =>
  membership.accountAdmin ? permissionsOfAccount(roles) : [...effectivePermissions(membership, roles)].sort();

/**
 * Returns the account whose event log records the user's actions: the first of the user's accounts. A user without
 * accounts has a separate log, which no account can read.
 */
export const logAccountOf = (user: Pick<StoredUser, 'id' | 'accountIds'>): AccountId =>
  user.accountIds[0] ?? ownLogOf(user);

export const ownLogOf = ({ id }: { id: number | string }): AccountId => `user_${id}` as AccountId;
