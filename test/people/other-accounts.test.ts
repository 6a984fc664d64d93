import { describe, expect, test } from 'vitest';
import listAccounts from '../../functions/accounts/list-accounts.ts';
import changePassword from '../../functions/auth/change-password.ts';
import logIn from '../../functions/auth/log-in.ts';
import readSession from '../../functions/auth/read-session.ts';
import resetPassword from '../../functions/auth/reset-password.ts';
import createLead from '../../functions/leads/create-lead.ts';
import acceptMembership from '../../functions/users/accept-membership.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import forceUserPassword from '../../functions/users/force-user-password.ts';
import impersonateUser from '../../functions/users/impersonate-user.ts';
import leaveAccount from '../../functions/users/leave-account.ts';
import readPreferences from '../../functions/users/read-notification-preferences.ts';
import readUser from '../../functions/users/read-user.ts';
import setPreferences from '../../functions/users/set-notification-preferences.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { StoredUser } from '../../shared/people/users/schema.ts';
import { users } from '../../shared/people/users/store.ts';
import { transact } from '../../shared/table/transact.ts';
import { drain } from '../harness/drain.ts';
import { mailedToken, member, memberPassword } from '../harness/member.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { client, sessionIn, signIn, type Tenant } from '../harness/tenant.ts';
import { newTenant, to } from '../messages/world.ts';

/** Acme registers the address of a stranger. Later, globex invites the stranger. */
const acme = await newTenant();
const globex = await newTenant();
const anybody = client({});
const known = 'known to the administrator of acme';
const own = 'chosen by the owner of the mailbox';

let strangers = 0;
/** Acme creates a user with an address that it does not control, and sets the password. */
async function planted() {
  strangers += 1;
  const email = `stranger${strangers}@example.com`;
  await acme.admin.ok(createUser, { body: { email, name: 'As acme calls them', phone: '+14155550166' } });
  await acme.admin.ok(forceUserPassword, { params: { email }, body: { password: known } });
  const headers = { authorization: await signIn({ email, password: known }), 'x-account-id': acme.accountId };
  return { params: { email }, session: client(headers) };
}
const invite = (params: { email: string }, of: Tenant = globex) =>
  of.admin.ok(addUserToAccount, { params, body: { accountAdmin: true } });
const accept = (email: string, body: { token: string; password?: string }) =>
  anybody.call(acceptMembership, { params: { email, accountId: globex.accountId }, body });
const loginStatus = async (email: string, password: string) =>
  (await anybody.call(logIn, { body: { email, password } })).status;

describe('an invitation to another account', () => {
  test('a password and a session from another account accept no invitation, and do not survive the acceptance', async () => {
    const { params, session } = await planted();
    const { email } = params;
    await invite(params);
    const accountId = globex.accountId;
    expect((await session.call(acceptMembership, { params: { email, accountId } })).status).toBe(400);
    expect((await session.ok(listAccounts)).invitations, 'the session shows no invitation').toEqual([]);
    expect((await session.call(leaveAccount, { params: { email, accountId } })).status).toBe(404);

    const token = await mailedToken(email, globex);
    const withoutPassword = await accept(email, { token });
    expect([withoutPassword.status, withoutPassword.body.error]).toEqual([400, 'password_required']);
    expect((await accept(email, { token, password: own })).status).toBe(200);
    expect((await session.call(readSession)).status).toBe(401);
    expect([await loginStatus(email, known), await loginStatus(email, own)]).toEqual([401, 200]);
    const { name, phone } = await globex.admin.ok(readUser, { params });
    expect([name, phone]).toEqual([undefined, undefined]);
  });

  test('a session without a proof shows only what concerns the account', async () => {
    const { params } = await planted();
    const { email } = params;
    await invite(params);
    await accept(email, { token: await mailedToken(email, globex), password: own });
    const authorization = await signIn({ email, password: own });
    const theirs = client({ authorization, 'x-account-id': globex.accountId });
    const rule = { event: 'lead_created' as const, deliveryPref: ['sms' as const] };
    await theirs.ok(setPreferences, { params, body: [rule] });
    const proved = await theirs.ok(readUser, { params });
    expect(proved.notificationPreferences).toEqual({ default: { lead_created: ['sms'] } });
    await globex.admin.ok(forceUserPassword, { params, body: { password: known } });
    const { token } = sessionIn(await anybody.ok(logIn, { body: { email, password: known } }));
    const session = client({ authorization: `Bearer ${token}`, 'x-account-id': globex.accountId });
    const shown = await session.ok(readUser, { params });
    expect(shown.notificationPreferences).toEqual({});
    expect(shown.accounts.map(({ accountId }) => accountId)).toEqual([globex.accountId]);
    const [, payload = ''] = token.split('.');
    expect(Buffer.from(payload, 'base64url').toString()).not.toContain(acme.accountId);
    const { updatedBy } = await session.ok(readSession);
    expect(updatedBy).toBe((await globex.admin.ok(readUser, { params })).updatedBy);
  });

  test('a change of a known password does not prove the mailbox', async () => {
    const { params, session } = await planted();
    await session.ok(changePassword, { body: { currentPassword: known, newPassword: `${known} 2` } });
    await invite(params);
    const token = await mailedToken(params.email, globex);
    expect((await accept(params.email, { token })).body.error).toBe('password_required');
  });

  test('a password that an administrator sets takes the proof away', async () => {
    const { user } = await member(acme);
    const params = { email: user.email };
    await acme.admin.ok(forceUserPassword, { params, body: { password: known } });
    await invite(params);
    const token = await mailedToken(params.email, globex);
    expect((await accept(params.email, { token })).body.error).toBe('password_required');
  });

  test('a user with a proved password accepts with the token alone, and keeps all sessions', async () => {
    const one = await member(acme);
    const { email } = one.user;
    await invite({ email });
    expect((await accept(email, { token: await mailedToken(email, globex) })).status).toBe(200);
    await one.client.ok(readSession);
    expect(await loginStatus(email, memberPassword)).toBe(200);
  });

  test('a password that is sent with the token replaces a proved password, and ends all sessions', async () => {
    const one = await member(acme);
    const { email } = one.user;
    await invite({ email });
    const body = { token: await mailedToken(email, globex), password: own };
    expect((await accept(email, body)).status).toBe(200);
    expect((await one.client.call(readSession)).status).toBe(401);
    expect([await loginStatus(email, memberPassword), await loginStatus(email, own)]).toEqual([401, 200]);
  });

  test('after the acceptance, older invitation and reset tokens are invalid', async () => {
    const { email } = await acme.admin.ok(createUser, { body: { email: 'older.tokens@example.com' } });
    const older = [await mailedToken(email, acme), await mailedToken(email)];
    await invite({ email });
    expect((await accept(email, { token: await mailedToken(email, globex), password: own })).status).toBe(
      200,
    );
    for (const token of older)
      expect((await anybody.call(resetPassword, { body: { token, password: known } })).status).toBe(400);
  });

  test('the account whose invitation proved the mailbox becomes the primary one, and logs the sign-ins', async () => {
    const { params } = await planted();
    const { email } = params;
    await invite(params);
    await accept(email, { token: await mailedToken(email, globex), password: own });
    const signIns = async (of: Tenant) =>
      (await storedEvents(of.accountId)).filter(
        ({ kind, actor }) => kind === 'user_logged_in' && (actor as { user: string }).user === email,
      ).length;
    const before = [await signIns(acme), await signIns(globex)];
    const session = client({ authorization: await signIn({ email, password: own }) });
    expect([await signIns(acme), await signIns(globex)]).toEqual([before[0], 1]);
    const { primaryAccount } = await session.ok(readSession);
    expect(primaryAccount?.accountId).toBe(globex.accountId);
    const made = await session.ok(createUser, { body: { email: 'made.in.primary@example.com' } });
    expect(made.accounts.map(({ accountId }) => accountId)).toEqual([globex.accountId]);
  });
});

describe('an account cannot direct messages of another account to itself', () => {
  const rule = { event: 'lead_created' as const, deliveryPref: ['sms' as const] };

  test('a phone and rules that an account enters have no effect on the messages of other accounts', async () => {
    const { params, session } = await planted();
    const { email } = params;
    await acme.admin.ok(setPreferences, { params, body: [rule] });
    await session.ok(updateUser, { params, body: { phone: '+14155550177', name: 'As the session says' } });
    await session.ok(setPreferences, { params, body: [rule] });
    await invite(params);
    await accept(email, { token: await mailedToken(email, globex), password: own });
    await acme.admin.ok(updateUser, { params, body: { phone: '+14155550188' } });
    await globex.admin.ok(createLead, { body: { firstName: 'Secret', lastName: 'Lead' } });
    await drain();
    for (const phone of ['+14155550166', '+14155550177', '+14155550188']) expect(to(phone)).toEqual([]);
    expect((await globex.admin.ok(readUser, { params })).name).toBeUndefined();

    const theirs = client({
      authorization: await signIn({ email, password: own }),
      'x-account-id': globex.accountId,
    });
    expect((await theirs.ok(readPreferences, { params })).data).toEqual([]);
    await theirs.ok(updateUser, { params, body: { phone: '+14155550199' } });
    await theirs.ok(setPreferences, { params, body: [rule] });
    await globex.admin.ok(createLead, { body: { firstName: 'Secret', lastName: 'Lead' } });
    await drain();
    expect(to('+14155550199')).toHaveLength(1);
    expect((await acme.admin.ok(readUser, { params })).phone).toBe('+14155550188');
  });

  test('an administrator can set no rules for a user who has not accepted', async () => {
    const { user } = await member(acme);
    const params = { email: user.email };
    await invite(params);
    const response = await globex.admin.call(setPreferences, { params, body: [rule] });
    expect([response.status, response.body.error]).toEqual([400, 'preferences_invalid']);
    expect((await globex.admin.ok(setPreferences, { params, body: [] })).data).toEqual([]);
  });
});

describe('an invitation that nobody accepted has no effect on other accounts', () => {
  test('it keeps the token of the account that created the user valid, and allows its forced password', async () => {
    const { email } = await acme.admin.ok(createUser, { body: { email: 'asked.by.two@example.com' } });
    const token = await mailedToken(email, acme);
    await invite({ email });
    await anybody.ok(resetPassword, { body: { token, password: own } });
    expect(await loginStatus(email, own)).toBe(200);
    await acme.admin.ok(forceUserPassword, { params: { email }, body: { password: known } });
    expect(await loginStatus(email, known)).toBe(200);
  });

  test('it does not keep the address taken, and the deleted user keeps no password that the account knew', async () => {
    const { params, session } = await planted();
    const { email } = params;
    await invite(params);
    await acme.admin.ok(deleteUser, { params });
    expect((await session.call(readSession)).status).toBe(401);
    expect(await loginStatus(email, known)).toBe(401);
    await acme.admin.ok(createUser, { body: { email } });
    const taken = await globex.admin.call(createUser, { body: { email } });
    expect([taken.status, taken.body.error]).toEqual([400, 'email_exists']);
    expect((await globex.admin.ok(readUser, { params })).invited).toBe(true);
    await acme.admin.ok(deleteUser, { params });
    const token = await mailedToken(email, globex);
    expect((await accept(email, { token, password: own })).status).toBe(200);
  });

  test('the user is deleted when the last invitation is withdrawn', async () => {
    const { params } = await planted();
    await invite(params);
    await acme.admin.ok(deleteUser, { params });
    await globex.admin.ok(deleteUser, { params });
    const kinds = (await storedEvents(globex.accountId)).map(({ kind }) => kind);
    expect(kinds).toContain('user_deleted');
    await expect(mailedToken(params.email)).rejects.toThrow('No user');
  });

  test('an account that has an open invitation cannot also create the user', async () => {
    const { params } = await planted();
    await invite(params);
    await acme.admin.ok(deleteUser, { params });
    const response = await globex.admin.call(createUser, { body: params });
    expect([response.status, response.body.error]).toEqual([400, 'already_member']);
  });
});

describe('a membership that nobody accepted has no effects after the person accepts another one', () => {
  const profile = { name: 'As the person says', phone: '+14155550144' };
  /** The person accepts only the invitation of globex, and sets a profile there. */
  async function joinedGlobexOnly(email: string, password?: string) {
    const body = { token: await mailedToken(email, globex), password };
    expect((await accept(email, body)).status).toBe(200);
    const authorization = await signIn({ email, password: own });
    const theirs = client({ authorization, 'x-account-id': globex.accountId });
    await theirs.ok(updateUser, { params: { email }, body: profile });
    return theirs;
  }
  async function expectNoEffects(email: string) {
    const params = { email };
    const shown = await acme.admin.ok(readUser, { params });
    expect(shown).toMatchObject({ invited: true });
    expect(JSON.stringify(shown)).not.toMatch(/As the person says|4155550144/);
    const acting = await acme.admin.call(impersonateUser, { params, body: { reason: 'To look' } });
    expect([acting.status, acting.body]).toMatchObject([403, { error: 'not_impersonable' }]);
    const forced = await acme.admin.call(forceUserPassword, { params, body: { password: known } });
    expect([forced.status, forced.body]).toMatchObject([403, { error: 'shared_user' }]);
  }

  test('what another account created becomes an invitation, also if the password was known', async () => {
    const { params } = await planted();
    const { email } = params;
    await invite(params);
    const theirs = await joinedGlobexOnly(email, own);
    await expectNoEffects(email);
    const { data, invitations } = await theirs.ok(listAccounts);
    expect(data.map(({ accountId }) => accountId)).toEqual([globex.accountId]);
    expect(invitations.map(({ accountId }) => accountId)).toEqual([acme.accountId]);
    await globex.admin.ok(forceUserPassword, { params, body: { password: known } });
  });

  test('a password that was set with a reset token accepts nothing', async () => {
    const { email } = await acme.admin.ok(createUser, { body: { email: 'reset.only@example.com' } });
    await anybody.ok(resetPassword, { body: { token: await mailedToken(email), password: own } });
    await invite({ email });
    await joinedGlobexOnly(email);
    await expectNoEffects(email);
  });

  test('the person gets a new token for the membership, which then counts again', async () => {
    const { params } = await planted();
    const { email } = params;
    await invite(params);
    await joinedGlobexOnly(email, own);
    await drain();
    const [token = ''] = to(email)
      .flatMap(({ text, subject }) =>
        subject.startsWith('Invitation') ? (/mo_pw_[\w-]+/.exec(text)?.[0] ?? []) : [],
      )
      .slice(-1);
    const membership = { email, accountId: acme.accountId };
    await anybody.ok(acceptMembership, { params: membership, body: { token } });
    expect(await acme.admin.ok(readUser, { params })).toMatchObject({
      invited: false,
      name: 'As acme calls them',
    });
    expect(await globex.admin.ok(readUser, { params })).toMatchObject(profile);
  });

  test('an accepted membership remains one, also if its administrator set the password later', async () => {
    const { email } = await acme.admin.ok(createUser, { body: { email: 'accepted.first@example.com' } });
    await anybody.ok(resetPassword, { body: { token: await mailedToken(email, acme), password: own } });
    await acme.admin.ok(forceUserPassword, { params: { email }, body: { password: known } });
    await invite({ email });
    await joinedGlobexOnly(email, own);
    expect(await acme.admin.ok(readUser, { params: { email } })).toMatchObject({ invited: false });
  });

  test('no account can create a person who has a proved password and only an invitation', async () => {
    const { email } = await acme.admin.ok(createUser, { body: { email: 'invited.only@example.com' } });
    await anybody.ok(resetPassword, { body: { token: await mailedToken(email, acme), password: own } });
    await invite({ email });
    await acme.admin.ok(deleteUser, { params: { email } });
    const response = await acme.admin.call(createUser, { body: { email } });
    expect([response.status, response.body.error]).toEqual([400, 'email_exists']);
    await invite({ email }, acme);
    const forced = await acme.admin.call(forceUserPassword, { params: { email }, body: { password: known } });
    expect(forced.status).toBe(403);
    expect(await loginStatus(email, own)).toBe(200);
  });
});

test.each([
  [
    'POST /users',
    (email: string) => acme.admin.call(createUser, { body: { email }, query: { dryRun: true } }),
  ],
  [
    'POST /users/{email}/accounts',
    (email: string) => acme.admin.call(addUserToAccount, { params: { email }, query: { dryRun: true } }),
  ],
])('%s has no dry run, which would tell whether an address exists', async (_, send) => {
  const known = await send(globex.adminEmail);
  const unknown = await send('nobody@example.com');
  expect([known.status, known.body]).toEqual([400, unknown.body]);
  expect(known.body.details).toMatchObject([{ field: 'dryRun' }]);
});

test('a user can accept invitations to 50 accounts, and open invitations do not count', async () => {
  const { email } = (await member(acme)).user;
  const store = async (change: Partial<StoredUser>) => {
    const stored = (await users.findByEmailAcrossAccounts(email)) ?? expect.unreachable();
    const after = { ...stored, ...change, version: stored.version + 1 };
    await transact(users.replace(stored, after), Date.now() + 10_000);
  };
  const ids = (prefix: string, many: number) =>
    Array.from({ length: many }, (_, n) => `${prefix}${n}` as AccountId);
  await store({ invitedTo: ids('asking', 49), accountIds: [acme.accountId, ...ids('joined', 49)] });
  await invite({ email });
  const token = await mailedToken(email, globex);
  const full = await accept(email, { token });
  expect([full.status, full.body.error]).toEqual([400, 'quota_exceeded']);
  await store({ accountIds: [acme.accountId, ...ids('joined', 48)] });
  expect((await accept(email, { token })).status).toBe(200);
});
