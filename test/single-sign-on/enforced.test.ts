import { afterEach, describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import logIn from '../../functions/auth/log-in.ts';
import logOutHere from '../../functions/auth/log-out.ts';
import logOutSso from '../../functions/auth/log-out-sso.ts';
import verifyLogin from '../../functions/auth/verify-login.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import deleteSsoConnection from '../../functions/sso-connections/delete-sso-connection.ts';
import listSsoConnections from '../../functions/sso-connections/list-sso-connections.ts';
import updateSsoConnection from '../../functions/sso-connections/update-sso-connection.ts';
import impersonateUser from '../../functions/users/impersonate-user.ts';
import leaveAccount from '../../functions/users/leave-account.ts';
import updateUser from '../../functions/users/update-user.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { clock } from '../harness/clock.ts';
import { addFactor, challengeOf, codeOf, codePeriod } from '../harness/factors.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { joins, type Member, member, memberPassword } from '../harness/member.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { type Client, client, sessionIn, type Tenant, tenant } from '../harness/tenant.ts';
import { LyingProvider } from './provider.ts';
import { anybody, clientId, connected, holdDomain, sessionFor } from './world.ts';

const provider = await LyingProvider.start();
let domains = 0;

afterEach(clock.reset);

const claimsOf = (email: string) => ({ sub: email, email, email_verified: true });

/** An account with a connection, whose administrator Ada has an address in its domain. */
async function withDomain() {
  const account = await tenant();
  const domain = `account${++domains}.example.com`;
  await holdDomain(account, domain);
  const connection = await connected(account, provider, { domains: [domain] });
  const ada = await member(account, ['readLeads'], { email: `ada@${domain}` });
  await account.admin.ok(updateUser, { params: { email: ada.user.email }, body: { accountAdmin: true } });
  return { account, domain, connection, ada };
}

const passwordSession = async (
  { user: { email } }: Pick<Member, 'user'>,
  { accountId }: Tenant,
): Promise<Client> => {
  const { token } = sessionIn(await anybody.ok(logIn, { body: { email, password: memberPassword } }));
  return client({ authorization: `Bearer ${token}`, 'x-account-id': accountId });
};

describe('enforced single sign-on', () => {
  test('rejects passwords of the domain in this account, at once, and nothing else', async () => {
    const { account, domain, connection, ada } = await withDomain();
    const grace = await member(account, ['readLeads'], { email: `grace@${domain}` });
    const outside = await member(account, ['readLeads']);
    const elsewhere = await tenant();
    await joins(grace, elsewhere, { accountAdmin: true });
    const enforced = { params: { id: connection.id }, body: { enforced: true } };
    // Nobody enforces a connection for the own address before it was used.
    expect((await ada.client.call(updateSsoConnection, enforced)).body).toMatchObject({
      error: 'single_sign_on_required',
    });
    const signedOn = await sessionFor(provider, connection, claimsOf(ada.user.email));
    await signedOn.ok(updateSsoConnection, enforced);

    const rejected = { status: 403, body: { error: 'single_sign_on_required' } };
    expect(await grace.client.call(listLeads)).toMatchObject(rejected);
    expect(await (await passwordSession(grace, account)).call(listLeads)).toMatchObject(rejected);
    await (await passwordSession(grace, elsewhere)).ok(listLeads);
    await outside.client.ok(listLeads);
    await account.key.ok(listLeads);
    const own = { email: grace.user.email, accountId: account.accountId };
    expect(await grace.client.call(leaveAccount, { params: own })).toMatchObject(rejected);
    const ofGrace = await sessionFor(provider, connection, claimsOf(grace.user.email));
    await ofGrace.ok(listLeads);
    const { token } = await signedOn.ok(impersonateUser, {
      params: { email: grace.user.email },
      body: { reason: 'To look' },
    });
    const acting = client({ authorization: `Bearer ${token}`, 'x-account-id': account.accountId });
    await acting.ok(listLeads);

    await signedOn.ok(deleteSsoConnection, { params: { id: connection.id } });
    await grace.client.ok(listLeads);
    await grace.client.ok(leaveAccount, { params: own });
  });

  test('is the error of a password session, also if the account requires second factors', async () => {
    const { account, domain, connection, ada } = await withDomain();
    const grace = await member(account, ['readLeads'], { email: `grace@${domain}` });
    const claims = { ...claimsOf(ada.user.email), amr: ['mfa'] };
    const signedOn = await sessionFor(provider, connection, claims);
    await signedOn.ok(updateSsoConnection, { params: { id: connection.id }, body: { enforced: true } });
    await signedOn.ok(updateAccount, {
      params: { id: account.accountId },
      body: { mfa: { policy: 'required' } },
    });
    // Otherwise, the user would add a factor without any effect.
    expect((await grace.client.call(listLeads)).body.error).toBe('single_sign_on_required');
  });

  test('ends the impersonations of administrators who signed in with a password', async () => {
    const { account, domain, connection, ada } = await withDomain();
    const grace = await member(account, ['readLeads'], { email: `grace@${domain}` });
    const signedOn = await sessionFor(provider, connection, claimsOf(ada.user.email));
    const actingOf = async (administrator: Client) => {
      const params = { email: grace.user.email };
      const { token } = await administrator.ok(impersonateUser, { params, body: { reason: 'To look' } });
      return client({ authorization: `Bearer ${token}`, 'x-account-id': account.accountId });
    };
    const acting = await Promise.all([ada.client, account.admin, signedOn].map(actingOf));
    await signedOn.ok(updateSsoConnection, { params: { id: connection.id }, body: { enforced: true } });
    // The address of the second administrator is in no domain of the connection.
    const statuses = await Promise.all(acting.map(async (one) => (await one.call(listLeads)).status));
    expect(statuses).toEqual([401, 200, 200]);
  });

  test('lets an administrator with a second factor repair the connection, and nothing else', async () => {
    const { account, connection, ada } = await withDomain();
    const signedOn = await sessionFor(provider, connection, claimsOf(ada.user.email));
    await signedOn.ok(updateSsoConnection, { params: { id: connection.id }, body: { enforced: true } });
    // The account has another administrator, so a password alone is not enough.
    const byPassword = await passwordSession(ada, account);
    expect((await byPassword.call(listSsoConnections)).status).toBe(403);
    const { secret } = await addFactor(ada.client);
    clock.advance(codePeriod);
    const { body } = await anybody.call(verifyLogin, {
      body: { challenge: await challengeOf(ada), code: codeOf(secret) },
    });
    const proved = client({
      authorization: `Bearer ${sessionIn(body).token}`,
      'x-account-id': account.accountId,
    });
    expect((await proved.call(listLeads)).body).toMatchObject({ error: 'single_sign_on_required' });
    await proved.ok(listSsoConnections);
    await proved.ok(updateSsoConnection, {
      params: { id: connection.id },
      body: { clientSecret: 'another secret' },
    });
    await proved.ok(updateSsoConnection, { params: { id: connection.id }, body: { enforced: false } });
    await proved.ok(listLeads);
  });

  test('lets the only administrator repair the connection with the password', async () => {
    const { account, connection, ada } = await withDomain();
    const signedOn = await sessionFor(provider, connection, claimsOf(ada.user.email));
    await signedOn.ok(updateSsoConnection, { params: { id: connection.id }, body: { enforced: true } });
    const byPassword = await passwordSession(ada, account);
    expect((await byPassword.call(listSsoConnections)).status).toBe(403);
    await signedOn.ok(updateUser, { params: { email: account.adminEmail }, body: { active: false } });
    await byPassword.ok(updateSsoConnection, { params: { id: connection.id }, body: { enforced: false } });
  });
});

test('single sign-on and passkeys are not both required, because no user could then use the account', async () => {
  const { account, connection, ada } = await withDomain();
  const signedOn = await sessionFor(provider, connection, claimsOf(ada.user.email));
  const enforce = (enforced: boolean) =>
    signedOn.call(updateSsoConnection, { params: { id: connection.id }, body: { enforced } });
  const require = (policy: 'off' | 'phishingResistant', of: Client = account.admin) =>
    of.call(updateAccount, { params: { id: account.accountId }, body: { mfa: { policy, graceDays: 7 } } });
  const fieldOf = ({ body }: Awaited<ReturnType<typeof enforce | typeof require>>) =>
    body.details?.[0]?.field;
  expect((await enforce(true)).status).toBe(200);
  expect(fieldOf(await require('phishingResistant'))).toBe('mfa.policy');
  expect((await enforce(false)).status).toBe(200);
  expect((await require('phishingResistant')).status).toBe(200);
  expect(fieldOf(await enforce(true))).toBe('enforced');
  expect((await require('off')).status).toBe(200);
  expect((await enforce(true)).status).toBe(200);
});

test('a change of the account between the read and the write of an enforcement loses nothing', async () => {
  const { account, domain, connection, ada } = await withDomain();
  await holdDomain(account, `second.${domain}`);
  const second = await connected(account, provider, { domains: [`second.${domain}`] });
  const signedOn = await sessionFor(provider, connection, claimsOf(ada.user.email));
  const enforce = ({ id }: { id: number }) =>
    signedOn.ok(updateSsoConnection, { params: { id }, body: { enforced: true } });
  const rename = { params: { id: account.accountId }, body: { name: 'Renamed' } };
  beforeNextTransaction(() => account.admin.ok(updateAccount, rename));
  await enforce(connection);
  await signedOn.ok(updateSsoConnection, { params: { id: connection.id }, body: { enforced: false } });
  beforeNextTransaction(() => enforce(second));
  await enforce(connection);
  expect(await accounts.get(account.accountId)).toMatchObject({
    name: 'Renamed',
    signOnDomains: [domain, `second.${domain}`].sort(),
  });
});

test('a session by single sign-on sets no policy at once that it does not meet', async () => {
  const { account, connection, ada } = await withDomain();
  const [plain, strong] = [
    await sessionFor(provider, connection, claimsOf(ada.user.email)),
    await sessionFor(provider, connection, { ...claimsOf(ada.user.email), amr: ['mfa'] }),
  ];
  const require = (of: Client, graceDays: number) =>
    of.call(updateAccount, {
      params: { id: account.accountId },
      body: { mfa: { policy: 'required', graceDays } },
    });
  expect((await require(plain, 0)).body).toMatchObject({ error: 'factor_required' });
  expect((await require(plain, 1)).status).toBe(200);
  expect((await require(strong, 0)).status).toBe(200);
});

test('accounts allow-passwords ends the enforcement, with an event of the operator', async () => {
  const { account, connection, ada } = await withDomain();
  const signedOn = await sessionFor(provider, connection, claimsOf(ada.user.email));
  await signedOn.ok(updateSsoConnection, { params: { id: connection.id }, body: { enforced: true } });
  expect((await ada.client.call(listLeads)).status).toBe(403);
  const allow = operatorsCommand('accounts', 'allow-passwords');
  const options = ['--account', account.accountId, '--stage', 'local'];
  expect((await allow.here(...options)).stdout).toContain('can log in with their passwords again');
  await ada.client.ok(listLeads);
  expect((await storedEvents(account.accountId)).at(-1)).toMatchObject({
    actor: { user: 'operator' },
    data: { happening: 'sso_connection_updated', detail: { enforced: false } },
  });
  expect((await allow.here(...options)).stdout).toContain('No connection');
});

describe('a back-channel logout', async () => {
  const { account, connection, ada } = await withDomain();
  const logoutEvent = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = { aud: clientId, events: logoutEvent, jti: 'one' };
  const session = (sid: string) => sessionFor(provider, connection, { ...claimsOf(ada.user.email), sid });
  const logOut = (token: string) =>
    anybody.call(logOutSso, {
      params: { accountId: account.accountId, connectionId: connection.id },
      rawBody: new URLSearchParams({ logout_token: token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const statusOf = async (one: Client) => (await one.call(listLeads)).status;

  test('ends the sessions of a session at the provider', async () => {
    const [one, two] = [await session('one'), await session('two')];
    const token = await provider.sign({ ...claims, sid: 'one' }, { typ: 'logout+jwt' });
    expect((await logOut(token)).status).toBe(200);
    expect([await statusOf(one), await statusOf(two)]).toEqual([401, 200]);
    expect((await storedEvents(account.accountId)).at(-1)).toMatchObject({
      kind: 'user_logged_out',
      data: { sessions: 'one' },
    });
    // The provider may send the token again.
    expect((await logOut(token)).status).toBe(200);
  });

  test('ends all sessions of a subject in this account, and no other session of the person', async () => {
    const [one, two] = [await session('three'), await session('four')];
    const token = await provider.sign({ ...claims, sub: ada.user.email });
    expect((await logOut(token)).status).toBe(200);
    expect([await statusOf(one), await statusOf(two)]).toEqual([401, 401]);
    expect(await statusOf(ada.client)).toBe(200);
  });

  test('ends sessions for which the provider sent no `sid`, because they may belong to the one that ends', async () => {
    const one = await sessionFor(provider, connection, claimsOf(ada.user.email));
    const token = await provider.sign({ ...claims, sub: ada.user.email, sid: 'unknown' });
    expect((await logOut(token)).status).toBe(200);
    expect(await statusOf(one)).toBe(401);
  });

  test('emits no event for a session that the user has ended', async () => {
    const one = await session('ended');
    await one.ok(logOutHere);
    const before = await storedEvents(account.accountId);
    expect((await logOut(await provider.sign({ ...claims, sid: 'ended' }))).status).toBe(200);
    expect(await storedEvents(account.accountId)).toEqual(before);
  });

  test('needs a valid logout token', async () => {
    const one = await session('five');
    const other = await LyingProvider.start();
    const sub = ada.user.email;
    const now = Math.floor(clock.now().getTime() / 1000);
    const lies = await Promise.all([
      provider.sign({ ...claims, sub, events: {} }),
      provider.sign({ ...claims, sub, nonce: 'of an ID token' }),
      provider.sign({ ...claims, sub, aud: 'another-client' }),
      provider.sign({ ...claims, sub, iss: other.issuer }),
      provider.sign({ ...claims, sub }, { key: other.key }),
      provider.sign({ ...claims, sub }, { typ: 'at+jwt' }),
      provider.sign({ ...claims, sub, iat: now - 3600, exp: now + 60 }),
      provider.sign({ ...claims, sub, exp: now - 60 }),
      provider.sign({ ...claims, sub, jti: undefined }),
      provider.sign({ ...claims }),
      'no token',
    ]);
    for (const token of lies)
      expect((await logOut(token)).body, token).toMatchObject({ error: 'sign_on_rejected' });
    expect(await statusOf(one)).toBe(200);
  });

  test('is not lost if the provider has rotated its keys', async () => {
    const one = await session('six');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await provider.rotateKey();
    expect((await logOut(await provider.sign({ ...claims, sid: 'six' }))).status).toBe(200);
    expect(await statusOf(one)).toBe(401);
  });

  test('reaches each of the newest twenty sessions, and older ones have ended', async () => {
    const sessions: Client[] = [];
    for (let n = 0; n < 22; n++) sessions.push(await session('many'));
    const statuses = await Promise.all(sessions.map(statusOf));
    expect(statuses.map((status) => status === 200)).toEqual(sessions.map((_, n) => n >= 2));
    await logOut(await provider.sign({ ...claims, sid: 'many' }));
    expect(new Set(await Promise.all(sessions.map(statusOf)))).toEqual(new Set([401]));
  });
});
