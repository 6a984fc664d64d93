import { base64url, type JWTPayload, SignJWT } from 'jose';
import { afterEach, describe, expect, test } from 'vitest';
import startSso from '../../functions/auth/start-sso.ts';
import { clock } from '../harness/clock.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';
import { LyingProvider } from './provider.ts';
import {
  anybody,
  began,
  calledBack,
  clientId,
  codeFor,
  connected,
  exchanged,
  fragmentOf,
  holdDomain,
  returnUrl,
  signedIn,
} from './world.ts';

const acme = await tenant();
const [provider, other] = [await LyingProvider.start(), await LyingProvider.start()];
await holdDomain(acme, 'acme.example.com');
const connection = await connected(acme, provider, { domains: ['acme.example.com'] });
const ofOther = await connected(acme, other);
const ada = await member(acme, ['readLeads'], { email: 'ada@acme.example.com' });
const claims = { sub: 'ada', email: ada.user.email, email_verified: true };
const honest = provider.idToken;

afterEach(() => {
  clock.reset();
  provider.idToken = honest;
  provider.userinfo = undefined;
  provider.isDown = false;
});

test('an honest provider signs in a member', async () => {
  expect((await signedIn(provider, connection, claims)).status).toBe(200);
  const [{ form, authorization } = { form: undefined }] = provider.tokenRequests;
  expect(form?.get('code_verifier')).toMatch(/^[\w-]{43,}$/);
  expect(authorization).toMatch(/^Basic /);
});

describe('an ID token is rejected', () => {
  const now = () => Math.floor(clock.now().getTime() / 1000);
  const lies: Record<string, (claims: JWTPayload) => Promise<string> | string> = {
    'without a signature (algorithm none)': (given) =>
      [{ alg: 'none' }, { iat: now(), exp: now() + 300, iss: provider.issuer, ...given }]
        .map((part) => base64url.encode(JSON.stringify(part)))
        .join('.')
        .concat('.'),
    'signed with the secret of the client': (given) =>
      new SignJWT({ iat: now(), exp: now() + 300, iss: provider.issuer, ...given })
        .setProtectedHeader({ alg: 'HS256', kid: provider.key.kid })
        .sign(new TextEncoder().encode('a secret of the client'.padEnd(32, ' '))),
    'signed by another issuer with the same key id': (given) => provider.sign(given, { key: other.key }),
    'from another issuer': (given) => provider.sign({ ...given, iss: other.issuer }),
    'for another audience': (given) => provider.sign({ ...given, aud: 'another-client' }),
    'for two audiences': (given) =>
      provider.sign({ ...given, aud: [clientId, 'another-client'], azp: clientId }),
    'that has expired': (given) => provider.sign({ ...given, iat: now() - 400, exp: now() - 60 }),
    'that was issued long ago': (given) => provider.sign({ ...given, iat: now() - 3600, exp: now() + 300 }),
    'from the future': (given) => provider.sign({ ...given, iat: now() + 300, exp: now() + 600 }),
    'that is not yet valid': (given) => provider.sign({ ...given, nbf: now() + 300 }),
    'without an expiry': (given) => provider.sign({ ...given, exp: undefined }),
    'without a subject': (given) => provider.sign({ ...given, sub: undefined }),
    'with another nonce': (given) => provider.sign({ ...given, nonce: 'of another sign-in' }),
    'without a nonce': (given) => provider.sign({ ...given, nonce: undefined }),
    'that is no token': () => 'no.token',
  };
  test.each(Object.entries(lies))('%s', async (_, lie) => {
    provider.idToken = lie;
    const { code, error } = await codeFor(provider, connection, claims);
    expect({ code, error }).toEqual({ code: undefined, error: 'sign_on_rejected' });
  });
});

test('a nonce of another browser is rejected', async () => {
  const [mine, theirs] = [await began(connection), await began(connection)];
  const { code } = provider.authorize(theirs.location, claims);
  const { state, iss } = provider.authorize(mine.location, claims);
  const { headers } = await calledBack({ code, state, iss }, mine);
  expect(fragmentOf(headers).error).toBe('sign_on_rejected');
});

describe('a state', () => {
  const rejected = { status: 400, body: { error: 'sign_on_state_invalid' } };

  test('of another browser is rejected', async () => {
    const [mine, theirs] = [await began(connection), await began(connection)];
    const query = provider.authorize(theirs.location, claims);
    expect(await calledBack(query, mine)).toMatchObject(rejected);
    expect(await calledBack(query, { cookie: '' })).toMatchObject(rejected);
    // The content of one cookie under the name of another one.
    const [name = ''] = theirs.cookie.split('=');
    const moved = `${name}=${mine.cookie.slice(mine.cookie.indexOf('=') + 1)}`;
    expect(await calledBack(query, { cookie: moved })).toMatchObject(rejected);
  });

  test('expires after ten minutes', async () => {
    const browser = await began(connection);
    const query = provider.authorize(browser.location, claims);
    clock.advance(601_000);
    expect(await calledBack(query, browser)).toMatchObject(rejected);
  });

  test('is used once, also by concurrent requests', async () => {
    const browser = await began(connection);
    const query = provider.authorize(browser.location, claims);
    const { code = '' } = fragmentOf((await calledBack(query, browser)).headers);
    const replay = await calledBack(query, browser);
    // The provider accepts its code once.
    expect(fragmentOf(replay.headers).error).toBe('sign_on_rejected');
    const results = await Promise.all([1, 2, 3, 4].map(() => exchanged(code, browser.codeVerifier)));
    expect(results.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    // Even if the provider accepts its code again, the state is used up.
    provider.codes.set(query.code, {
      ...claims,
      aud: clientId,
      nonce: new URL(browser.location).searchParams.get('nonce'),
    });
    const { code: again = '' } = fragmentOf((await calledBack(query, browser)).headers);
    expect(await exchanged(again, browser.codeVerifier)).toMatchObject(rejected);
  });

  test('is also the limit of the one-time code: two minutes, and only for the app that began', async () => {
    const { code = '', codeVerifier } = await codeFor(provider, connection, claims);
    expect(await exchanged(code, 'a'.repeat(43))).toMatchObject(rejected);
    expect(await exchanged(`${code.slice(0, -2)}xx`, codeVerifier)).toMatchObject(rejected);
    clock.advance(121_000);
    expect(await exchanged(code, codeVerifier)).toMatchObject(rejected);
  });
});

describe('a mix-up of providers is rejected', () => {
  test('by `iss` of the response', async () => {
    const browser = await began(connection);
    const query = provider.authorize(browser.location, claims);
    const { headers } = await calledBack({ ...query, iss: other.issuer }, browser);
    expect(fragmentOf(headers).error).toBe('sign_on_rejected');
    const { iss: _, ...without } = query;
    expect(fragmentOf((await calledBack(without, browser)).headers).error).toBe('sign_on_rejected');
  });

  test('if the code of one provider arrives in a sign-in at the other one', async () => {
    const browser = await began(ofOther);
    const { code } = provider.authorize((await began(connection)).location, claims);
    const state = new URL(browser.location).searchParams.get('state') ?? '';
    const { headers } = await calledBack({ code, state, iss: other.issuer }, browser);
    expect(fragmentOf(headers).error).toBe('sign_on_rejected');
  });
});

test('a browser returns only to the pages of the connection', async () => {
  const { accountId } = connection;
  const connectionId = String(connection.id);
  const codeChallenge = 'a'.repeat(43);
  for (const returnTo of [
    'https://attacker.example',
    `${returnUrl}/../`,
    `${returnUrl}?x=1`,
    `${returnUrl}#x`,
    'https://portal.example.com@attacker.example/signed-in',
  ]) {
    const query = { accountId, connectionId, codeChallenge, returnTo };
    expect((await anybody.call(startSso, { query })).status, returnTo).toBe(400);
  }
  const { headers } = await anybody.call(startSso, {
    query: { domain: 'acme.example.com', codeChallenge, returnTo: returnUrl },
  });
  expect(new URL(headers.location ?? '').origin).toBe(provider.issuer);
});

test('an error of the provider returns to the app, and other texts are not shown', async () => {
  const browser = await began(connection);
  const state = new URL(browser.location).searchParams.get('state') ?? '';
  const query = { state, iss: provider.issuer, error: 'access_denied', error_description: '<b>lies</b>' };
  const { headers } = await calledBack(query, browser);
  expect(fragmentOf(headers).message).toMatch(/access_denied/);
  expect(headers.location).not.toMatch(/lies/);
});

describe('an address', () => {
  const refused = { status: 403, body: { error: 'sign_on_not_allowed' } };
  const grace = () => member(acme, [], { email: `grace${Math.random()}@acme.example.com` });

  test.each([
    ['without a proof', { email_verified: undefined }],
    ['that is not verified', { email_verified: false }],
    ['that is verified as a text', { email_verified: 'true' }],
    ['that is verified as a number', { email_verified: 1 }],
    ['that Entra has not verified', { xms_edov: false }],
    ['that is not verified, whatever Entra says', { email_verified: false, xms_edov: true }],
    ['that is a list', { email: ['x@acme.example.com'], email_verified: true }],
  ])('%s links nobody', async (_, lie) => {
    const { user } = await grace();
    const { email } = user;
    expect(await signedIn(provider, connection, { sub: email, email, ...lie } as JWTPayload)).toMatchObject(
      refused,
    );
  });

  test.each([true, '1'])('is verified if Entra sends xms_edov as %j', async (edov) => {
    const { email } = (await grace()).user;
    expect((await signedIn(provider, connection, { sub: email, email, xms_edov: edov })).status).toBe(200);
  });

  test('and its proof come from the same claims', async () => {
    const { user } = await grace();
    provider.userinfo = { sub: 'mixed', email: 'nobody@elsewhere.example', email_verified: true };
    expect(await signedIn(provider, connection, { sub: 'mixed', email: user.email })).toMatchObject(refused);
  });

  test('may come from userinfo, but only of the same subject', async () => {
    // The cached settings of a provider name no userinfo, so another provider is used.
    const fresh = await LyingProvider.start();
    fresh.userinfo = { sub: 'of userinfo', email: ada.user.email, email_verified: true };
    const withUserinfo = await connected(acme, fresh);
    const { error } = await codeFor(fresh, withUserinfo, { sub: 'another' });
    expect(error).toBe('sign_on_rejected');
    expect(await signedIn(fresh, withUserinfo, { sub: 'of userinfo' })).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/not proved the domain/) },
    });
  });
});

describe('a subject', () => {
  test('stays the same member after its address changed', async () => {
    await signedIn(provider, connection, claims);
    const bob = await member(acme, [], { email: 'bob@acme.example.com' });
    for (const change of [
      { email: bob.user.email },
      { email: 'x@elsewhere.example' },
      { email_verified: false },
    ]) {
      const { status, body } = await signedIn(provider, connection, { ...claims, ...change });
      expect(status).toBe(200);
      expect(body.email).toBe(ada.user.email);
    }
  });

  test('does not become a member that is linked to another subject, who had the address before', async () => {
    await signedIn(provider, connection, claims);
    expect(await signedIn(provider, connection, { ...claims, sub: 'the next Ada' })).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/another user of the identity provider/) },
    });
  });
});

describe('a provider', () => {
  test('may rotate its keys between two sign-ins', async () => {
    await signedIn(provider, connection, claims);
    const browser = await began(connection);
    const query = provider.authorize(browser.location, claims);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await provider.rotateKey();
    const { code = '' } = fragmentOf((await calledBack(query, browser)).headers);
    expect((await exchanged(code, browser.codeVerifier)).status).toBe(200);
  });

  test('that is down for minutes gets 503, and the same address works afterwards', async () => {
    const browser = await began(connection);
    const query = provider.authorize(browser.location, claims);
    provider.isDown = true;
    for (const minute of [0, 1, 2, 3, 4]) {
      const { status, body, headers } = await calledBack(query, browser);
      expect({ status, error: body.error }, `minute ${minute}`).toEqual({
        status: 503,
        error: 'provider_unavailable',
      });
      expect(headers['retry-after']).toBe('30');
      clock.advance(60_000);
    }
    provider.isDown = false;
    const { code = '' } = fragmentOf((await calledBack(query, browser)).headers);
    expect((await exchanged(code, browser.codeVerifier)).status).toBe(200);
  });

  test('that does not exist, or publishes another issuer, gets 503 at the start', async () => {
    const silent = await LyingProvider.start();
    await silent.stop();
    const liar = await LyingProvider.start();
    liar.published = { issuer: provider.issuer };
    for (const at of [silent, liar]) {
      const { accountId, id } = await connected(acme, at);
      const query = { accountId, connectionId: String(id), codeChallenge: 'a'.repeat(43) };
      expect(await anybody.call(startSso, { query })).toMatchObject({
        status: 503,
        body: { error: 'provider_unavailable' },
      });
    }
  });
});
