import type { Account, AccountEntry } from '../../accounts/schema.ts';
import { accounts } from '../../accounts/store.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { SignedIn } from '../../security/principal.ts';
import { permissionsOfKey } from '../apikeys/permissions.ts';
import type { StoredApiKey } from '../apikeys/schema.ts';
import { apiKeys } from '../apikeys/store.ts';
import { usablePermissions } from '../roles/account-permissions.ts';
import { type Memberships, readMemberships } from '../users/read-memberships.ts';
import { memberPermissions, roleNames } from '../users/rules.ts';
import type { Membership, StoredUser } from '../users/schema.ts';
import { invitationsIn, users } from '../users/store.ts';
import type { UserSession } from './schema.ts';

/** Returns the session of a principal. Throws `not_authenticated` if the user was deleted. */
export const sessionOf = async (principal: SignedIn, token: string): Promise<UserSession> =>
  principal.kind === 'key'
    ? sessionOfKey(await apiKeys.get(principal.home, principal.id), token)
    : sessionOfUser(await users.self(principal), token, {
        impersonation: impersonationOf(principal),
        only: principal.signedOnTo,
        sessionBeganAt: principal.sessionBeganAt,
      });

interface ShownImpersonation extends NonNullable<UserSession['impersonation']> {
  account: AccountId;
}

function impersonationOf({ impersonation, actor }: SignedIn): ShownImpersonation | undefined {
  if (!impersonation) return undefined;
  const { account, write, expiresAt } = impersonation;
  return { account, by: actor.impersonatedBy ?? '', write, expiresAt };
}

/**
 * Returns a user's session, with the accounts in which it acts, and the roles and permissions in the primary account. An
 * impersonation, and a session by single sign-on, show only their own account.
 */
export async function sessionOfUser(
  user: StoredUser,
  token: string,
  {
    impersonation,
    only,
    sessionBeganAt,
  }: { impersonation?: ShownImpersonation; only?: AccountId; sessionBeganAt?: string | undefined } = {},
): Promise<UserSession> {
  const shown = shownTo(user, impersonation?.account ?? only);
  const { accounts: entries, primary, rolesOf } = await readMemberships(shown, { sessionBeganAt });
  const roles = primary && rolesOf(primary.accountId);
  return {
    id: user.id,
    ...stampsOf(primary ?? withoutMembership(user)),
    email: user.email,
    token,
    primaryAccount: entries.find(({ usersPrimaryAccount }) => usersPrimaryAccount),
    accounts: entries,
    flatRolesList: primary ? roleNames(primary, roles) : [],
    flatPermissionsList: primary ? memberPermissions(primary, roles) : [],
    ...(impersonation && { impersonation }),
  };
}

/**
 * Returns the user with only the account of the session, if it has one. Without a proof, the session acts for the account,
 * so only the first account is shown.
 */
function shownTo(user: StoredUser, only: AccountId | undefined): StoredUser {
  if (only) return { ...user, accountIds: [only] };
  return user.proved ? user : { ...user, accountIds: user.accountIds.slice(0, 1) };
}

/** The author and the times of a membership. Those of the person would show the acts of other accounts. */
const stampsOf = ({
  createdBy,
  updatedBy,
  createdAt,
  updatedAt,
}: Pick<Membership, 'createdBy' | 'updatedBy' | 'createdAt' | 'updatedAt'>) => {
  return { createdBy, updatedBy, createdAt, updatedAt };
};

const withoutMembership = ({ createdAt }: StoredUser) => ({ createdAt, updatedAt: createdAt });

export async function accountsOf(
  principal: SignedIn,
): Promise<Pick<Memberships, 'accounts' | 'invitations'>> {
  if (principal.kind === 'key')
    return { accounts: [entryOfKey(await accounts.get(principal.home))], invitations: [] };
  const [user, stored] = await Promise.all([
    users.find(principal),
    principal.proved ? users.storedInvitations(principal) : [],
  ]);
  if (!user) return { accounts: [], invitations: [] };
  const invitations = principal.proved ? invitationsIn(user, stored) : [];
  return readMemberships(shownTo(user, principal.impersonation?.account ?? principal.signedOnTo), {
    invitations,
    sessionBeganAt: principal.sessionBeganAt,
  });
}

const entryOfKey = ({ id: accountId, name: accountName }: Account): AccountEntry => {
  return { accountId, accountName, usersPrimaryAccount: true, accountAdmin: false };
};

/** Returns the session of an API key, which is never an administrator. */
export async function sessionOfKey(key: StoredApiKey, token: string): Promise<UserSession> {
  const account = await accounts.get(key.accountId);
  const entry = entryOfKey(account);
  return {
    id: key.id,
    ...stampsOf(key),
    email: key.apiKey,
    token,
    primaryAccount: entry,
    accounts: [entry],
    flatRolesList: [],
    flatPermissionsList: usablePermissions(permissionsOfKey(key), {
      accountPermissions: account.permissions,
    }),
  };
}
