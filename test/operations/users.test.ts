import { afterAll, expect, test, vi } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import logIn from '../../functions/auth/log-in.ts';
import readSession from '../../functions/auth/read-session.ts';
import requestPasswordReset from '../../functions/auth/request-password-reset.ts';
import resetPassword from '../../functions/auth/reset-password.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import updateUser from '../../functions/users/update-user.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { drain } from '../harness/drain.ts';
import { addFactor } from '../harness/factors.ts';
import { mailedToken, member, memberPassword } from '../harness/member.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { client, signIn, tenant } from '../harness/tenant.ts';
import { to } from '../messages/world.ts';

afterAll(clock.reset);

const unlock = operatorsCommand('users', 'unlock');
const reset = operatorsCommand('users', 'reset');
const local = ['--stage', 'local'];
const acme = await tenant();
const anyone = client({});
const logInAs = async (email: string, password: string, sourceIp: string) =>
  (await anyone.call(logIn, { body: { email, password }, sourceIp })).status;

/** Sends wrong passwords until the user is locked out at this network. */
async function lockOut(email: string, sourceIp: string): Promise<void> {
  for (let n = 0; n < 10; n++) expect(await logInAs(email, 'wrong', sourceIp)).toBe(401);
  expect(await logInAs(email, memberPassword, sourceIp)).toBe(429);
}

test('users unlock removes the limits of one user on all networks, and changes no limit of other users', async () => {
  const [ada, grace] = [(await member(acme)).user.email, (await member(acme)).user.email];
  await lockOut(ada, '192.0.2.1');
  await lockOut(ada, '2001:db8::1');
  await lockOut(grace, '192.0.2.1');
  for (let n = 0; n < 11; n++)
    await anyone.call(requestPasswordReset, { body: { email: ada }, sourceIp: '192.0.2.1' });
  const events = (await storedEvents(acme.accountId)).length;

  const { code, stdout, stderr } = await unlock.asProcess('--user', ada.toUpperCase(), ...local);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    new RegExp(`^${ada} is unlocked\\.\naccount +name +membership\n${acme.accountId} +Tenant 1 +active\n$`),
  );
  expect(await storedEvents(acme.accountId)).toHaveLength(events);
  expect(await logInAs(ada, memberPassword, '192.0.2.1')).toBe(200);
  expect(await logInAs(ada, memberPassword, '2001:db8::1')).toBe(200);
  expect(await logInAs(grace, memberPassword, '192.0.2.1')).toBe(429);
  const requested = await anyone.call(requestPasswordReset, { body: { email: ada }, sourceIp: '192.0.2.1' });
  expect(requested.status).toBe(200);

  const again = await unlock.here('--user', ada, ...local);
  expect(again.stdout).toContain(`${ada} had not reached a limit.\n`);
  // Only the limit of mails.
  for (let n = 0; n < 6; n++)
    await anyone.call(requestPasswordReset, { body: { email: ada }, sourceIp: `198.51.100.${n}` });
  expect((await unlock.here('--user', ada, ...local)).stdout).toContain(`${ada} is unlocked.\n`);
  const counted = await unlock.here('--user', ada, '--json', ...local);
  expect(JSON.parse(counted.stdout)).toMatchObject({ removed: 0, removedOfSource: 0 });
});

test('users unlock with --source also removes the limits of a network', async () => {
  const ada = (await member(acme)).user.email;
  const source = '2001:db8:1:2::7';
  for (let n = 0; n < 100; n += 20)
    await concurrently(20, (k) => logInAs(`guess${n + k}@example.com`, 'wrong', source));
  expect(await logInAs(ada, memberPassword, source)).toBe(429);
  await unlock.here('--user', ada, ...local);
  expect(await logInAs(ada, memberPassword, source)).toBe(429);
  const { stdout } = await unlock.here('--user', ada, '--source', '2001:db8:1:2::ffff', ...local);
  expect(stdout).toContain('2001:db8:1:2::ffff is unlocked.\n');
  expect(await logInAs(ada, memberPassword, source)).toBe(200);
  expect(await unlock.here('--user', ada, '--source', 'office', ...local)).toEqual({
    code: 2,
    stdout: '',
    stderr: '--source must be an IP address.\n',
  });
});

test('users unlock shows that a user has no password, is invited or is inactive', async () => {
  const other = await tenant();
  const email = 'invited@example.com';
  await acme.admin.ok(createUser, { body: { email } });
  await other.admin.ok(addUserToAccount, { params: { email }, body: {} });
  const invited = await unlock.here('--user', email, ...local);
  expect(invited.stdout).toContain('had not reached a limit.\nThe user has no password yet.\n');
  expect(invited.stdout).toMatch(new RegExp(`^${acme.accountId} +Tenant 1 +active$`, 'm'));
  expect(invited.stdout).toMatch(new RegExp(`^${other.accountId} +Tenant 2 +invited$`, 'm'));
  const ada = (await member(acme)).user.email;
  await acme.admin.ok(updateUser, { params: { email: ada }, body: { active: false } });
  const { memberships, hasPassword } = JSON.parse(
    (await unlock.here('--user', ada, ...local, '--json')).stdout,
  );
  expect([hasPassword, memberships]).toEqual([
    true,
    [expect.objectContaining({ accountId: acme.accountId, state: 'inactive' })],
  ]);
});

test('users reset ends all sessions, removes the limits, mails a token, and emits events whose actor is the operator', async () => {
  const ada = await member(acme);
  const { email, id } = ada.user;
  await ada.client.ok(readSession);
  await anyone.ok(requestPasswordReset, { body: { email } });
  await drain();
  const tokenIn = (text = '') => /mo_pw_[\w-]+/.exec(text)?.[0] ?? '';
  const earlier = tokenIn(to(email).at(-1)?.text);
  await lockOut(email, '192.0.2.9');
  const before = (await storedEvents(acme.accountId)).length;

  const { code, stdout, stderr } = await reset.here('--user', email, ...local);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(
    `All sessions of ${email} have ended.\nA mail with a reset token is being sent to ${email}.\n`,
  );
  const operator = { user: 'operator', apiKey: null };
  const request = { method: 'RUN', path: 'users reset' };
  const subject = { type: 'user', id };
  expect((await storedEvents(acme.accountId)).slice(before)).toMatchObject([
    { kind: 'user_logged_out', actor: operator, request, subject, data: { sessions: 'all' } },
    { kind: 'user_password_reset_requested', actor: operator, request, subject },
  ]);
  expect((await ada.client.call(readSession)).status).toBe(401);
  expect(await logInAs(email, memberPassword, '192.0.2.9')).toBe(200);

  await drain();
  const token = tokenIn(to(email).at(-1)?.text);
  expect(token).not.toBe(earlier);
  expect(stdout).not.toContain(token);
  const password = 'another password of her own';
  expect((await anyone.call(resetPassword, { body: { token: earlier, password } })).status).toBe(400);
  await anyone.ok(resetPassword, { body: { token, password } });
  expect(await logInAs(email, password, '192.0.2.9')).toBe(200);
});

test('users reset --factors lets the last administrator log in by password and add a factor again, and emits an event', async () => {
  const strict = await tenant();
  const { accountId, adminEmail: email } = strict;
  const credentials = { email, password: 'a password after the proof of the mailbox' };
  await anyone.ok(resetPassword, {
    body: { token: await mailedToken(email), password: credentials.password },
  });
  const signedIn = async () =>
    client({ authorization: await signIn(credentials), 'x-account-id': accountId });
  const admin = await signedIn();
  await addFactor(admin);
  await admin.ok(updateAccount, { params: { id: accountId }, body: { mfa: { policy: 'required' } } });
  const challenged = await anyone.ok(logIn, { body: credentials });
  expect(challenged).toMatchObject({ mfaRequired: true });
  const before = (await storedEvents(accountId)).length;

  const { code, stdout, stderr } = await reset.here('--user', email, '--factors', ...local);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`The second factors of ${email} are removed.\n`);
  expect((await storedEvents(accountId)).slice(before)).toMatchObject([
    { kind: 'user_logged_out' },
    { kind: 'user_password_reset_requested' },
    {
      kind: 'no_event_name',
      actor: { user: 'operator', apiKey: null },
      request: { method: 'RUN', path: 'users reset' },
      data: { happening: 'factor_reset', detail: { email } },
    },
  ]);
  expect((await admin.call(listLeads)).status).toBe(401);
  const back = await signedIn();
  expect((await back.call(listLeads)).body).toMatchObject({ error: 'factor_required' });
  await addFactor(back);
  await back.ok(listLeads);
});

test('if the stage has no sender, users reset reports that no mail is sent', async () => {
  const { email } = (await member(acme)).user;
  vi.stubEnv('DATA_KEY_ID', '');
  const { stdout } = await reset.here('--user', email, '--stage', 'dev').finally(() => vi.unstubAllEnvs());
  expect(stdout).toContain('No mail is sent, because the stage dev has no mailFrom.\n');
});

test.each([
  ['users unlock', unlock],
  ['users reset', reset],
])('%s reports an unknown user with exit code 1', async (_, command) => {
  expect(await command.here('--user', 'nobody@example.com', ...local)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No user nobody@example.com in this table.\n',
  });
});
