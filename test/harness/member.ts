import resetPassword from '../../functions/auth/reset-password.ts';
import acceptMembership from '../../functions/users/accept-membership.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import type { User, UserInput } from '../../shared/people/users/schema.ts';
import type { Permission } from '../../shared/security/permissions.ts';
import { sessionsFor } from './sessions-for.ts';
import { type Client, client, type Tenant } from './tenant.ts';

export const memberPassword = 'a password of their own';

/** A user who accepted an invitation to an account and signed in. */
export interface Member {
  user: User;
  client: Client;
}

let members = 0;

/** Adds a member with these permissions to a tenant. */
export async function member(
  of: Tenant,
  permissions: Permission[] = [],
  input: Partial<UserInput> = {},
): Promise<Member> {
  members += 1;
  const email = input.email ?? `member${members}@${of.accountId.replaceAll('_', '-')}.test`;
  const { token = '', ...user } = await of.admin.ok(createUser, {
    body: { name: `Member ${members}`, ...input, email },
  });
  await client({}).ok(resetPassword, { body: { token, password: memberPassword } });
  if (permissions.length > 0)
    await of.admin.ok(setUserPermissions, { params: { email }, body: { flatPermissionsList: permissions } });
  const [authorization = ''] = await sessionsFor({ email });
  return { user, client: client({ 'x-account-id': of.accountId, authorization }) };
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
