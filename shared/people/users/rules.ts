import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { allPermissions, isPermission, type Permission } from '../../security/permissions.ts';
import type { Roles } from '../roles/schema.ts';
import type { Membership, StoredUser } from './schema.ts';

/**
 * Whether a member takes part in the account: active there, and no longer merely invited. Only then does the
 * membership grant anything, and only then is anything assigned.
 */
export const isActiveMember = ({ active, invited }: Pick<Membership, 'active' | 'invited'>): boolean =>
  active && !invited;

/** The member that `assignedTo` names. Throws `user_unknown` where there is none, or it is not active. */
export function activeAssignee(member: Membership | undefined): Membership {
  if (member && isActiveMember(member)) return member;
  throw invalid('assignedTo', 'names no active user of this account', 'user_unknown');
}

/**
 * The accounts a user belongs to, its home before all others. Its primary account is the first of them where it is an
 * active member, for the session view and for a request that names no account alike.
 */
export const accountsByPrimacy = ({
  home,
  accountIds,
}: Pick<StoredUser, 'home' | 'accountIds'>): AccountId[] =>
  [...accountIds].sort((one, other) => Number(other === home) - Number(one === home));

/** Whether a user belongs to this account and to no other, invitations to others included. */
export const belongsOnlyTo = (
  account: string,
  { accountIds, invitedTo = [] }: Pick<StoredUser, 'accountIds' | 'invitedTo'>,
): boolean => [...accountIds, ...invitedTo].every((id) => id === account);

/** What a member may do: what its roles grant and what it was granted directly. */
export function effectivePermissions(
  membership: Membership,
  roles: Roles | undefined,
): ReadonlySet<Permission> {
  const granted = membership.roleIds.flatMap((id) => roles?.roles[id]?.flatPermissionsList ?? []);
  return new Set([...granted, ...membership.flatPermissionsList].filter(isPermission));
}

/** The names of a member's roles; a role that is gone has none. */
export const roleNames = ({ roleIds }: Membership, roles: Roles | undefined): string[] =>
  roleIds.flatMap((id) => roles?.roles[id]?.name ?? []);

/** What a member may do, by name. */
export const permissionsOf = (membership: Membership, roles: Roles | undefined): string[] =>
  membership.accountAdmin ? [...allPermissions] : [...effectivePermissions(membership, roles)].sort();

/** Emails are compared and stored in lower case. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** A phone number in E.164, without the punctuation that people write; undefined where it is none. */
export function phoneNumberOf(text = ''): string | undefined {
  const number = text.replace(/[\s().\-/]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : undefined;
}

/**
 * Whose event log a user's own doings enter: its home's, or, once it left, that of an account it belongs to. While it
 * belongs to none they enter one of its own, which no account reads: a former home and an account that invited it have
 * no business there.
 */
export const logAccountOf = (user: Pick<StoredUser, 'id' | 'home' | 'accountIds'>): AccountId =>
  accountsByPrimacy(user)[0] ?? ownLogOf(user);

/** The log of a user that belongs to no account. */
export const ownLogOf = ({ id }: { id: number | string }): AccountId => `user_${id}` as AccountId;
