import type { Account, AccountEntry } from '../../accounts/schema.ts';
import { accounts } from '../../accounts/store.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { SignedIn } from '../../security/principal.ts';
import type { StoredApiKey } from '../apikeys/schema.ts';
import { apiKeys } from '../apikeys/store.ts';
import { type Memberships, readMemberships } from '../users/read-memberships.ts';
import { memberPermissions, roleNames } from '../users/rules.ts';
import type { StoredUser } from '../users/schema.ts';
import { users } from '../users/store.ts';
import type { UserSession } from './schema.ts';

/** Returns the session of a principal. Throws `not_authenticated` if the user was deleted. */
export const sessionOf = async (principal: SignedIn, token: string): Promise<UserSession> =>
  principal.kind === 'key'
    ? sessionOfKey(await apiKeys.get(principal.home, principal.id), token)
    : sessionOfUser(await users.self(principal), token, impersonationOf(principal));

interface ShownImpersonation extends NonNullable<UserSession['impersonation']> {
  account: AccountId;
}

function impersonationOf({ impersonation, actor }: SignedIn): ShownImpersonation | undefined {
  if (!impersonation) return undefined;
  const { account, write, expiresAt } = impersonation;
  return { account, by: actor.impersonatedBy ?? '', write, expiresAt };
}

/**
 * Returns a user's session, with the user's active accounts and the roles and permissions in the primary account. An
 * impersonation shows only its own account.
 */
export async function sessionOfUser(
  user: StoredUser,
  token: string,
  impersonated?: ShownImpersonation,
): Promise<UserSession> {
  const { accounts: entries, primary, rolesOf } = await readMemberships(shownTo(user, impersonated));
  const roles = primary && rolesOf(primary.accountId);
  return {
    ...stampsOf(user),
    email: user.email,
    token,
    primaryAccount: entries.find(({ usersPrimaryAccount }) => usersPrimaryAccount),
    accounts: entries,
    flatRolesList: primary ? roleNames(primary, roles) : [],
    flatPermissionsList: primary ? memberPermissions(primary, roles) : [],
    ...(impersonated && { impersonation: impersonated }),
  };
}

/** Returns the user with only the account of an impersonation. Other accounts and invitations stay hidden. */
const shownTo = (user: StoredUser, impersonated: { account: AccountId } | undefined): StoredUser =>
  impersonated ? { ...user, accountIds: [impersonated.account], invitedTo: [] } : user;

const stampsOf = ({ id, createdBy, updatedBy, createdAt, updatedAt }: StoredUser | StoredApiKey) => {
  return { id, createdBy, updatedBy, createdAt, updatedAt };
};

export async function accountsOf(
  principal: SignedIn,
): Promise<Pick<Memberships, 'accounts' | 'invitations'>> {
  if (principal.kind === 'key')
    return { accounts: [entryOfKey(await accounts.get(principal.home))], invitations: [] };
  const user = await users.find(principal);
  if (!user) return { accounts: [], invitations: [] };
  const { accounts: entries, invitations } = await readMemberships(shownTo(user, principal.impersonation));
  return { accounts: entries, invitations: principal.proved ? invitations : [] };
}

const entryOfKey = ({ id: accountId, name: accountName }: Account): AccountEntry => {
  return { accountId, accountName, usersPrimaryAccount: true, accountAdmin: false };
};

/** Returns the session of an API key, which is never an administrator. */
export async function sessionOfKey(key: StoredApiKey, token: string): Promise<UserSession> {
  const account = await accounts.get(key.accountId);
  const entry = entryOfKey(account);
  return {
    ...stampsOf(key),
    email: key.apiKey,
    token,
    primaryAccount: entry,
    accounts: [entry],
    flatRolesList: [],
    flatPermissionsList: account.permissions
      ? key.flatPermissionsList.filter((name) => account.permissions?.includes(name))
      : key.flatPermissionsList,
  };
}
