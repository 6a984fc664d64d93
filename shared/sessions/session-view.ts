import type { AccountId } from '../accounts/account-id.ts';
import { accounts } from '../accounts/accounts.ts';
import type { StoredApiKey } from '../apikeys/api-key.ts';
import { effectivePermissions } from '../auth/authority.ts';
import type { Caller } from '../auth/caller.ts';
import { allPermissions } from '../auth/permissions.ts';
import type { Roles } from '../roles/role.ts';
import { type Item, isTombstone, recordOf } from '../table/item.ts';
import { accountKey, recordKey, rolesKey } from '../table/keys.ts';
import { getItems } from '../table/read.ts';
import type { Membership, StoredUser } from '../users/user.ts';
import { users } from '../users/users.ts';
import type { AccountEntry, UserSession } from './user-session.ts';

/** The session of a user: the accounts it is an active member of, and what it may do in the primary one. */
export async function sessionOfUser(user: StoredUser, token: string): Promise<UserSession> {
  const { accounts: entries, members, roles } = await readMemberships(user);
  const primary = members.find(({ accountId }) => accountId === user.home) ?? members[0];
  return {
    id: user.id,
    email: user.email,
    token,
    createdBy: user.createdBy,
    updatedBy: user.updatedBy,
    createdAt: user.createdAt,
    updatedAt: user.updatedAt,
    primaryAccount: entries.find(({ accountId }) => accountId === primary?.accountId),
    accounts: entries,
    flatRolesList: primary ? roleNames(primary, roles) : [],
    flatPermissionsList: primary ? permissionsOf(primary, roles) : [],
  };
}

/** The accounts a caller belongs to; an API key belongs to one. */
export async function accountsOf(caller: Caller): Promise<AccountEntry[]> {
  if (caller.kind === 'key') return [await accountOfKey(caller.home)];
  const user = await users.find(caller);
  return user ? (await readMemberships(user)).accounts : [];
}

async function accountOfKey(home: AccountId): Promise<AccountEntry> {
  const { name } = await accounts.get(home);
  return { accountId: home, accountName: name, usersPrimaryAccount: true, accountAdmin: false };
}

/** The session of an API key: its one account, of which it is never an administrator. */
export async function sessionOfKey(key: StoredApiKey, token: string): Promise<UserSession> {
  const entry = await accountOfKey(key.accountId as AccountId);
  return {
    id: key.id,
    email: key.apiKey,
    token,
    createdBy: key.createdBy,
    updatedBy: key.updatedBy,
    createdAt: key.createdAt,
    updatedAt: key.updatedAt,
    primaryAccount: entry,
    accounts: [entry],
    flatRolesList: [],
    flatPermissionsList: key.flatPermissionsList,
  };
}

interface Memberships {
  accounts: AccountEntry[];
  members: Membership[];
  /** Of the primary account. */
  roles: Roles | undefined;
}

/** The accounts a user is an active member of, each with its name. */
export async function readMemberships(user: StoredUser): Promise<Memberships> {
  const ids = user.accountIds as AccountId[];
  const [roles, ...items] = await getItems([
    rolesKey(user.home as AccountId),
    ...ids.map((id) => recordKey(id, 'MEMBER', user.id)),
    ...ids.map((id) => accountKey(id)),
  ]);
  const members = items.slice(0, ids.length).flatMap((item) => active(item));
  const names = new Map(
    items.slice(ids.length).flatMap((item) => (item ? [[item.id, String(item.name)] as const] : [])),
  );
  const entries = members.map(({ accountId, accountAdmin }) => ({
    accountId,
    accountName: names.get(accountId) ?? '',
    usersPrimaryAccount: accountId === user.home,
    accountAdmin,
  }));
  return { accounts: entries, members, roles: roles && recordOf<Roles>(roles) };
}

function active(item: Item | undefined): Membership[] {
  if (!item || isTombstone(item)) return [];
  const membership = recordOf<Membership>(item);
  return membership.active ? [membership] : [];
}

/** The names of a member's roles; a role that is gone has none. */
export const roleNames = ({ roleIds }: Membership, roles: Roles | undefined): string[] =>
  roleIds.flatMap((id) => roles?.roles[id]?.name ?? []);

/** What a member may do, by name. */
export const permissionsOf = (membership: Membership, roles: Roles | undefined): string[] =>
  membership.accountAdmin ? [...allPermissions] : [...effectivePermissions(membership, roles)].sort();
