import type { AccountId } from '../accounts/account-id.ts';
import { accounts } from '../accounts/accounts.ts';
import type { StoredApiKey } from '../apikeys/api-key.ts';
import { effectivePermissions } from '../auth/authority.ts';
import type { Caller } from '../auth/caller.ts';
import { allPermissions } from '../auth/permissions.ts';
import type { Roles } from '../roles/role.ts';
import { isTombstone, recordOf } from '../table/item.ts';
import { accountKey, recordKey, rolesKey } from '../table/keys.ts';
import { getItems } from '../table/read.ts';
import { accountsByPrimacy, isActiveMember } from '../users/standing.ts';
import type { Membership, StoredUser } from '../users/user.ts';
import { users } from '../users/users.ts';
import type { AccountEntry, AccountInvitation, UserSession } from './user-session.ts';

/** The session of a user: the accounts it is an active member of, and what it may do in the primary one. */
export async function sessionOfUser(user: StoredUser, token: string): Promise<UserSession> {
  const { accounts: entries, primary, rolesOf } = await readMemberships(user);
  const roles = primary && rolesOf(primary.accountId);
  return {
    id: user.id,
    email: user.email,
    token,
    createdBy: user.createdBy,
    updatedBy: user.updatedBy,
    createdAt: user.createdAt,
    updatedAt: user.updatedAt,
    primaryAccount: entries.find(({ usersPrimaryAccount }) => usersPrimaryAccount),
    accounts: entries,
    flatRolesList: primary ? roleNames(primary, roles) : [],
    flatPermissionsList: primary ? permissionsOf(primary, roles) : [],
  };
}

/** The accounts a caller belongs to, and those that invite it; an API key belongs to one. */
export async function accountsOf(caller: Caller): Promise<Pick<Memberships, 'accounts' | 'invitations'>> {
  if (caller.kind === 'key') return { accounts: [await accountOfKey(caller.home)], invitations: [] };
  const user = await users.find(caller);
  return user ? readMemberships(user) : { accounts: [], invitations: [] };
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
  invitations: AccountInvitation[];
  /** The first by `accountsByPrimacy` of those where the user is active. */
  primary: Membership | undefined;
  /** Of the account with this id. */
  rolesOf: (accountId: string) => Roles | undefined;
}

/** The accounts a user is an active member of, and those that invite it, each with its name and roles, in one read. */
export async function readMemberships(user: StoredUser): Promise<Memberships> {
  const ids = [...accountsByPrimacy(user), ...(user.invitedTo ?? [])] as AccountId[];
  const items = await getItems([
    ...ids.map((id) => recordKey(id, 'MEMBER', user.id)),
    ...ids.map((id) => accountKey(id)),
    ...ids.map((id) => rolesKey(id)),
  ]);
  const found = items
    .slice(0, ids.length)
    .flatMap((item) => (item && !isTombstone(item) ? [recordOf<Membership>(item)] : []));
  const nameOf = (id: string) => String(items[ids.length + ids.indexOf(id as AccountId)]?.name ?? '');
  const rolesItem = (id: string) => items[2 * ids.length + ids.indexOf(id as AccountId)];
  const members = found.filter(isActiveMember);
  const [primary] = members;
  return {
    accounts: members.map((member) => ({
      accountId: member.accountId,
      accountName: nameOf(member.accountId),
      usersPrimaryAccount: member === primary,
      accountAdmin: member.accountAdmin,
    })),
    invitations: found
      .filter(({ active, invited }) => active && invited)
      .map(({ accountId, accountAdmin, createdBy, createdAt }) => ({
        accountId,
        accountName: nameOf(accountId),
        accountAdmin,
        invitedBy: createdBy,
        invitedAt: createdAt,
      })),
    primary,
    rolesOf: (id) => {
      const item = rolesItem(id);
      return item && recordOf<Roles>(item);
    },
  };
}

/** The names of a member's roles; a role that is gone has none. */
export const roleNames = ({ roleIds }: Membership, roles: Roles | undefined): string[] =>
  roleIds.flatMap((id) => roles?.roles[id]?.name ?? []);

/** What a member may do, by name. */
export const permissionsOf = (membership: Membership, roles: Roles | undefined): string[] =>
  membership.accountAdmin ? [...allPermissions] : [...effectivePermissions(membership, roles)].sort();
