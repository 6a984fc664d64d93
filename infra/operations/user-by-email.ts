import type { AccountId } from '../../shared/id/account-id.ts';
import { readMemberships } from '../../shared/people/users/read-memberships.ts';
import type { StoredUser } from '../../shared/people/users/schema.ts';
import { users } from '../../shared/people/users/store.ts';
import { textTable } from './print.ts';

/** Returns the user with this email, whether or not the user is active. Throws if there is no such user. */
export async function userByEmail(email: string): Promise<StoredUser> {
  const user = await users.findByEmailAcrossAccounts(email);
  if (!user) throw new Error(`No user ${email} in this table.`);
  return user;
}

/** The data that a login depends on: whether the user has a password, and the user's memberships. */
interface SignIn {
  hasPassword: boolean;
  memberships: { accountId: AccountId; accountName: string; state: 'active' | 'inactive' | 'invited' }[];
}

export async function readSignIn(user: StoredUser): Promise<SignIn> {
  const invited = await users.withInvitations(user);
  const { accounts, invitations } = await readMemberships(user, { invitations: invited.invitations });
  const active = new Set(accounts.map(({ accountId }) => accountId));
  const inactive = user.accountIds.filter((id) => !active.has(id));
  return {
    hasPassword: user.passwordHash !== undefined,
    memberships: [
      ...accounts.map(({ accountId, accountName }) => ({ accountId, accountName, state: 'active' as const })),
      ...inactive.map((accountId) => ({ accountId, accountName: '', state: 'inactive' as const })),
      ...invitations.map(({ accountId, accountName }) => ({
        accountId,
        accountName,
        state: 'invited' as const,
      })),
    ],
  };
}

/** Describes everything that can prevent a login, besides a wrong password and the limits. */
export function describeSignIn({ hasPassword, memberships }: SignIn): string[] {
  const rows = memberships.map(({ accountId, accountName, state }) => [accountId, accountName || '-', state]);
  return [
    ...(hasPassword ? [] : ['The user has no password yet.']),
    ...(rows.length > 0
      ? textTable([['account', 'name', 'membership'], ...rows])
      : ['The user belongs to no account.']),
  ];
}
