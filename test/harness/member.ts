import acceptMembership from '../../functions/users/accept-membership.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import { normalizeEmail } from '../../shared/formats.ts';
import { roleIdsOf, roles } from '../../shared/people/roles/store.ts';
import { openSession, renewProof } from '../../shared/people/sessions/store.ts';
import { newMembership, newUser } from '../../shared/people/users/make-user.ts';
import { rulesFromRequest } from '../../shared/people/users/notification-preferences.ts';
import { issueInvitationToken, issueResetToken } from '../../shared/people/users/password-tokens.ts';
import type { Membership, UserInput } from '../../shared/people/users/schema.ts';
import { memberships, users } from '../../shared/people/users/store.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { hashPassword } from '../../shared/security/passwords.ts';
import { verifyToken } from '../../shared/security/tokens.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from './clock.ts';
import { type Client, client, type Tenant } from './tenant.ts';

export const memberPassword = 'a password of their own';

/** A user with a proved password and a session in an account. */
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
  const { phone, imgSrc, active, teamId, notificationPreferences = [] } = input;
  const profile = { name, phone, imgSrc, ...('name' in input && { name: input.name }) };
  const user = {
    ...newUser(email, origin),
    ...profile,
    notificationPreferences: rulesFromRequest(notificationPreferences),
    passwordHash: await hashPassword(memberPassword),
    proved: true as const,
  };
  const roleIds = input.roles ? roleIdsOf(await roles.all(account), input.roles) : [];
  const membership = {
    ...newMembership(user, { ...profile, active, teamId, roleIds }, origin),
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

/**
 * Sets the time of the last proof of a session, by default to now, as POST /auth/step-up does. Needs neither a password nor a
 * code.
 */
export async function provesAgain(
  { headers: { authorization = '' } }: Pick<Client, 'headers'>,
  at = clock.now(),
): Promise<void> {
  const claims = await verifyToken(authorization.replace('Bearer ', ''), clock.now());
  if (!claims) throw new Error('The client has no valid session.');
  await transact(renewProof(claims, at), Date.now() + 10_000);
}

/** Invites a user to another account and accepts the invitation. */
export async function joins(
  { user: { email } }: Pick<Member, 'user'>,
  of: Tenant,
  standing: { accountAdmin?: boolean; roles?: string[] } = {},
): Promise<void> {
  await of.admin.ok(addUserToAccount, { params: { email }, body: standing });
  const token = await mailedToken(email, of);
  await client({}).ok(acceptMembership, { params: { email, accountId: of.accountId }, body: { token } });
}

/**
 * Returns a token as the invitation mail of an account contains it, without sending the mail. Issues a reset token if
 * `of` is omitted.
 */
export async function mailedToken(email: string, of?: Pick<Tenant, 'accountId'>): Promise<string> {
  const user = await users.findByEmailAcrossAccounts(email);
  if (!user) throw new Error(`No user has the email ${email}.`);
  const now = clock.now();
  const issued = of
    ? issueInvitationToken({ user, membership: await memberships.get(of.accountId, user.id) }, now)
    : issueResetToken(user, now);
  if (!issued) throw new Error(`${email} has no open invitation.`);
  await transact(issued.writes, Date.now() + 10_000);
  return issued.token;
}
