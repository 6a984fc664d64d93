import { afterEach, describe, expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import deleteApiKey from '../../functions/apikeys/delete-api-key.ts';
import updateApiKey from '../../functions/apikeys/update-api-key.ts';
import logIn from '../../functions/auth/log-in.ts';
import logOut from '../../functions/auth/log-out.ts';
import readSession from '../../functions/auth/read-session.ts';
import listPermissions from '../../functions/permissions/list-permissions.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import { clock } from '../harness/clock.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { client, sessionIn, signIn, tenant } from '../harness/tenant.ts';

process.env.FULL_SCRYPT = 'yes';

const acme = await tenant();
const { apiKey, apiSecret, adminEmail: email, adminPassword: password } = acme;
const stranger = client({});
const hour = 3_600_000;
const bearer = (authorization: string) => client({ authorization });
const statusOf = async (who: ReturnType<typeof client>) => (await who.call(listPermissions)).status;
const inAnHour = () => new Date(clock.now().getTime() + hour).toISOString();

afterEach(clock.reset);

describe('POST /auth/login', () => {
  test('POST /auth/login accepts an API key in the body or the headers, or an email and password', async () => {
    const ways = [
      await stranger.ok(logIn, { body: { apiKey, apiSecret } }),
      await stranger.ok(logIn, { headers: { 'x-api-key': apiKey, 'X-Api-Secret': apiSecret } }),
      await stranger.ok(logIn, { body: { email, password } }),
      await stranger.ok(logIn, { body: { email: email.toUpperCase(), password } }),
    ];
    const sessions = ways.map(sessionIn);
    expect(sessions.map((session) => session.email)).toEqual([apiKey, apiKey, email, email]);
    for (const { token } of sessions) expect(await statusOf(bearer(`Bearer ${token}`))).toBe(200);
    expect(new Set(sessions.map(({ token }) => token)).size).toBe(4);
  });

  test('POST /auth/login responds to every failure with the same message', async () => {
    const [head, tail] = [apiKey.slice(0, -1), apiKey.endsWith('x') ? 'y' : 'x'];
    const attempts = [
      { apiKey, apiSecret: `${apiSecret}x` },
      { apiKey, apiSecret: '' },
      { apiKey: head + tail, apiSecret },
      { apiKey: 'mo_key_acc_nowhere_0000000000000000000000', apiSecret },
      { apiKey: 'no key at all', apiSecret },
      { apiKey: 'mo_key_a#b_0000000000000000000000', apiSecret },
      { email, password: `${password}x` },
      { email, password: '' },
      { email: 'nobody@tenant.test', password },
    ];
    for (const body of attempts) {
      const response = await stranger.call(logIn, { body });
      expect(response.body, JSON.stringify(body)).toEqual({
        error: 'login_failed',
        status: 401,
        message: 'These credentials are not valid.',
      });
    }
  });

  test('POST /auth/login refuses an incomplete credential', async () => {
    for (const body of [
      undefined,
      {},
      { apiKey },
      { apiSecret },
      { email },
      { password },
      { email, apiSecret },
    ])
      expect((await stranger.call(logIn, { body })).body, JSON.stringify(body)).toMatchObject({
        error: 'invalid_input',
        status: 400,
      });
  });

  test('POST /auth/login emits user_logged_in, and the logout emits user_logged_out', async () => {
    const before = (await storedEvents(acme.accountId)).length;
    const who = bearer(await signIn({ apiKey, apiSecret }));
    await who.ok(logOut);
    const events = (await storedEvents(acme.accountId)).slice(before);
    expect(events).toMatchObject([
      { kind: 'user_logged_in', actor: { user: apiKey, apiKey }, data: { method: 'api_key' } },
      { kind: 'user_logged_out', actor: { user: apiKey, apiKey }, data: { sessions: 'one' } },
    ]);
  });
});

describe('GET /auth/session', () => {
  test('GET /auth/session of a user shows every field', async () => {
    const { token, ...entered } = sessionIn(await stranger.ok(logIn, { body: { email, password } }));
    const session = await bearer(`Bearer ${token}`).ok(readSession);
    const account = {
      accountId: acme.accountId,
      accountName: expect.stringMatching(/^Tenant \d+$/),
      usersPrimaryAccount: true,
      accountAdmin: true,
    };
    expect(session).toEqual({
      id: expect.any(Number),
      email,
      token,
      createdBy: email,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      primaryAccount: account,
      accounts: [account],
      flatRolesList: [],
      flatPermissionsList: expect.arrayContaining([...allPermissions]),
    });
    expect(session).toMatchObject(entered);
  });

  test('GET /auth/session of an API key shows the account of the key, without administrator rights', async () => {
    const session = await acme.key.ok(readSession);
    expect(session).toMatchObject({
      email: apiKey,
      primaryAccount: { accountId: acme.accountId, usersPrimaryAccount: true, accountAdmin: false },
      flatPermissionsList: [...allPermissions].sort(),
    });
    expect(session.accounts).toHaveLength(1);
  });
});

test('the scheme Bearer in Authorization may be in upper or lower case', async () => {
  const token = (await signIn({ email, password })).replace('Bearer ', '');
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    expect(await statusOf(client({ authorization: `${scheme} ${token}` })), scheme).toBe(200);
});

test('a malformed Authorization header is refused, even if the request also contains a valid API key', async () => {
  const token = (await signIn({ email, password })).replace('Bearer ', '');
  for (const authorization of ['', 'Bearer', 'Bearer x', `Basic ${token}`, `Bearer ${token} x`])
    expect(await statusOf(client({ ...acme.directKey.headers, authorization })), authorization).toBe(401);
});

test('a logout ends only the session that sent it', async () => {
  const [one, other] = [bearer(await signIn({ email, password })), bearer(await signIn({ email, password }))];
  await one.ok(logOut);
  expect(await statusOf(one)).toBe(401);
  expect(await statusOf(other)).toBe(200);
});

test('a deleted API key and its sessions are refused from the next call on', async () => {
  const key = await acme.admin.ok(createApiKey, { body: { description: 'Soon gone' } });
  const direct = client({ 'x-api-key': key.apiKey, 'x-api-secret': key.apiSecret });
  const session = bearer(await signIn({ apiKey: key.apiKey, apiSecret: key.apiSecret }));
  expect([await statusOf(direct), await statusOf(session)]).toEqual([200, 200]);
  await acme.admin.ok(deleteApiKey, { params: { id: String(key.id) } });
  expect([await statusOf(direct), await statusOf(session)]).toEqual([401, 401]);
  const body = { apiKey: key.apiKey, apiSecret: key.apiSecret };
  expect((await stranger.call(logIn, { body })).body.error).toBe('login_failed');
});

test('if expiresAt of an API key is changed, the sessions of the key end at the new time', async () => {
  const key = await acme.admin.ok(createApiKey, { body: { description: 'Cut short' } });
  const session = bearer(await signIn({ apiKey: key.apiKey, apiSecret: key.apiSecret }));
  await acme.admin.ok(updateApiKey, { params: { id: String(key.id) }, body: { expiresAt: inAnHour() } });
  expect(await statusOf(session)).toBe(200);
  clock.advance(hour + 1);
  expect(await statusOf(session)).toBe(401);
});

test('a session ends after twelve hours, with a tolerance of 30 seconds', async () => {
  const session = bearer(await signIn({ email, password }));
  clock.advance(12 * hour - 5000);
  expect(await statusOf(session)).toBe(200);
  clock.advance(40_000);
  expect(await statusOf(session)).toBe(401);
});

test('after expiresAt, an API key, its sessions and logins with the key are refused', async () => {
  const body = { description: 'An hour', expiresAt: inAnHour() };
  const key = await acme.admin.ok(createApiKey, { body });
  const secret = { apiKey: key.apiKey, apiSecret: key.apiSecret };
  const direct = client({ 'x-api-key': key.apiKey, 'x-api-secret': key.apiSecret });
  const session = bearer(await signIn(secret));
  clock.advance(hour - 5000);
  expect([await statusOf(direct), await statusOf(session)]).toEqual([200, 200]);
  clock.advance(5001);
  expect([await statusOf(direct), await statusOf(session)]).toEqual([401, 401]);
  expect((await stranger.call(logIn, { body: secret })).body.error).toBe('login_failed');
});

test('the token of an API key’s session expires no later than the key', async () => {
  const expiresAt = inAnHour();
  const key = await acme.admin.ok(createApiKey, { body: { description: 'An hour', expiresAt } });
  const body = { apiKey: key.apiKey, apiSecret: key.apiSecret };
  const { token } = sessionIn(await stranger.ok(logIn, { body }));
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims.exp * 1000).toBeLessThanOrEqual(Date.parse(expiresAt));
});
