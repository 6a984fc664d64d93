import acceptMembership from '../../functions/users/accept-membership.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import { roleIdsOf, roles } from '../../shared/people/roles/store.ts';
import { openSession } from '../../shared/people/sessions/store.ts';
import { newMembership, newUser } from '../../shared/people/users/make-user.ts';
import { rulesFromRequest } from '../../shared/people/users/notification-preferences.ts';
import { normalizeEmail } from '../../shared/people/users/rules.ts';
import type { Membership, UserInput } from '../../shared/people/users/schema.ts';
import { memberships, users } from '../../shared/people/users/store.ts';
import { hashPassword } from '../../shared/security/passwords.ts';
import type { Permission } from '../../shared/security/permissions.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from './clock.ts';
import { type Client, client, type Tenant } from './tenant.ts';

export const memberPassword = 'a password of their own';

/** A user with a password and a session in an account. */
export interface Member {
  user: Pick<Membership, 'id' | 'email' | 'name' | 'phone'>;
  client: Client;
}

let created = 0;

/**
 * Adds a member with these permissions to a tenant. Writes the user, the membership and the session in one transaction
 * without events, which saves about fifteen requests.
 */
export async function member(
  of: Tenant,
  permissions: Permission[] = [],
  input: Partial<UserInput> = {},
): Promise<Member> {
  created += 1;
  const { accountId: account, adminEmail } = of;
  const name = `Member ${created}`;
  const email = normalizeEmail(input.email ?? `member${created}@${account.replaceAll('_', '-')}.test`);
  const origin = { account, ...authoredBy(adminEmail, clock.now()) };
  const notificationPreferences = rulesFromRequest(input.notificationPreferences ?? []);
  const user = {
    ...newUser({ name, ...input, email, notificationPreferences }, origin),
    passwordHash: await hashPassword(memberPassword),
  };
  const roleIds = input.roles ? roleIdsOf(await roles.all(account), input.roles) : [];
  const membership = {
    ...newMembership(user, { ...input, roleIds }, origin),
    flatPermissionsList: [...permissions].sort(),
  };
  const { id, sessionEpoch: epoch } = user;
  const session = await openSession({ kind: 'user', id, home: account, epoch }, origin.now);
  await transact(
    [...users.insert(user), ...memberships.insert(membership), ...session.writes],
    Date.now() + 10_000,
  );
  const authorization = `Bearer ${session.token}`;
  return { user: membership, client: client({ 'x-account-id': account, authorization }) };
}

/** Invites a user to another account and accepts the invitation. */
export async function joins(
  { user: { email }, client: theirs }: Member,
  of: Tenant,
  standing: { accountAdmin?: boolean; roles?: string[] } = {},
): Promise<void> {
  await of.admin.ok(addUserToAccount, { params: { email }, body: standing });
  await theirs.ok(acceptMembership, { params: { email, accountId: of.accountId } });
}
