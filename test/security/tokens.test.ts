import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import listPermissions from '../../functions/permissions/list-permissions.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { loadPrincipal } from '../../shared/people/sessions/load-principal.ts';
import { type Credential, keyCredential } from '../../shared/security/credential.ts';
import { mintApiKey, mintSecret, parseApiKey } from '../../shared/security/key-secrets.ts';
import { parseKeyring } from '../../shared/security/keyring.ts';
import { clock } from '../harness/clock.ts';
import { member, memberPassword } from '../harness/member.ts';
import { type Client, client, signIn, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const secretFile = process.env.SECRET_FILE ?? '';
const secretText = readFileSync(secretFile, 'utf8');
const keyOf = (kid: string, text = secretText) =>
  parseKeyring(text).key(kid, 'session-token') ?? new Uint8Array();

const genuine = (acme.admin.headers.authorization ?? '').replace('Bearer ', '');
const [rawHeader = '', rawClaims = '', signature = ''] = genuine.split('.');
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = decode(rawHeader) as { alg: string; typ: string; kid: string };
const claims = decode(rawClaims) as Record<string, unknown>;
const seconds = () => Math.floor(clock.now().getTime() / 1000);

const statusOf = async (token: string) =>
  (await client({ authorization: `Bearer ${token}` }).call(listPermissions)).status;
/** Returns a token with changed claims or a changed header. By default, the right key signs it. */
const forged = (claimChanges: object, headerChanges: object = {}, key = keyOf('1')) =>
  new SignJWT({ ...claims, ...claimChanges }).setProtectedHeader({ ...header, ...headerChanges }).sign(key);
/** Returns a token with valid claims and a header that no library would sign. */
function hmac(headerChanges: object): string {
  const signed = `${encode({ ...header, ...headerChanges })}.${rawClaims}`;
  return `${signed}.${createHmac('sha256', keyOf('1')).update(signed).digest('base64url')}`;
}

afterEach(clock.reset);

test('a valid token is accepted, even if its unchanged content is signed again', async () => {
  expect(await statusOf(genuine)).toBe(200);
  expect(await statusOf(await forged({ nonce: 1 }))).toBe(200);
  expect(await statusOf(hmac({}))).toBe(200);
});

describe('an attack with a token', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let embedded: Awaited<ReturnType<typeof exportJWK>>;
  beforeAll(async () => {
    embedded = await exportJWK(publicKey);
  });

  const attacks: Record<string, () => string | Promise<string>> = {
    'with the algorithm none': () => new UnsecuredJWT(claims).encode(),
    'with the algorithm none and our type and kid': () =>
      `${encode({ ...header, alg: 'none' })}.${rawClaims}.`,
    'with the algorithm NONE and a signature': () =>
      `${encode({ ...header, alg: 'NONE' })}.${rawClaims}.${signature}`,
    'signed with HS512 under the genuine key': () => forged({}, { alg: 'HS512' }),
    'signed with HS384 under the genuine key': () => forged({}, { alg: 'HS384' }),
    'signed with RS256': () =>
      new SignJWT(claims).setProtectedHeader({ ...header, alg: 'RS256' }).sign(privateKey),
    'with RS256 in the header and an HMAC under the genuine key': () => hmac({ alg: 'RS256' }),
    'with an embedded key': () =>
      new SignJWT(claims).setProtectedHeader({ ...header, alg: 'RS256', jwk: embedded }).sign(privateKey),
    'with an embedded symmetric key': () =>
      forged({}, { jwk: { kty: 'oct', k: 'AAAA' } }, new Uint8Array(32)),
    'with the URL of a key set': () => forged({}, { jku: 'https://evil.test/keys' }, new Uint8Array(32)),
    'signed with another key': () => forged({}, {}, new Uint8Array(32).fill(7)),
    'signed with an empty key': () => forged({}, {}, new Uint8Array(1)),
    'of another issuer': () => forged({ iss: 'someone-else' }),
    'for another audience': () => forged({ aud: 'another-api' }),
    'of no issuer': () => forged({ iss: undefined }),
    'for no audience': () => forged({ aud: undefined }),
    'of another type': () => forged({}, { typ: 'JWT' }),
    'of no type': () => forged({}, { typ: undefined }),
    'with an unknown kid': () => forged({}, { kid: '2' }),
    'with a kid that is a path': () => forged({}, { kid: '../../dev/null' }),
    'with a kid from Object.prototype': () => forged({}, { kid: 'constructor' }),
    'with no kid': () => forged({}, { kid: undefined }),
    'with no exp': () => forged({ exp: undefined }),
    'with no iat': () => forged({ iat: undefined }),
    'with no sub': () => forged({ sub: undefined }),
    'with no sid': () => forged({ sid: undefined }),
    'with a sid that is not a string': () => forged({ sid: 7 }),
    'with a sid of 5,000 characters': () => forged({ sid: 'A'.repeat(5000) }),
    'with a sid of one character': () => forged({ sid: 'A' }),
    'with an empty sid': () => forged({ sid: '' }),
    'with the sid of an unknown session': () => forged({ sid: 'AAAAAAAAAAAAAAAAAAAAAA' }),
    'for another user': () => forged({ sub: 'user:1' }),
    'for a key instead of the user': () => forged({ sub: String(claims.sub).replace('user', 'key') }),
    'with an invalid subject': () => forged({ sub: 'root' }),
    'with another home account': () => forged({ home: 'acc_nowhere' }),
    'with an invalid home account': () => forged({ home: 'a#b' }),
    'from the future': () => forged({ iat: seconds() + 60 }),
    'not valid yet': () => forged({ nbf: seconds() + 60 }),
    'expired beyond the tolerance of 30 s': () => forged({ exp: seconds() - 31 }),
    'with an expiry that is not a number': () => forged({ exp: 'never' }),
    'with claims that differ from the signed claims': () =>
      `${rawHeader}.${encode({ ...claims, sub: 'user:1' })}.${signature}`,
    'with a header that differs from the signed header': () =>
      `${encode({ ...header, extra: 1 })}.${rawClaims}.${signature}`,
    'with a shortened signature': () => `${rawHeader}.${rawClaims}.${signature.slice(0, -4)}`,
    'without a signature': () => `${rawHeader}.${rawClaims}.`,
    'with an unknown critical header': () => hmac({ crit: ['surprise'], surprise: 1 }),
  };

  test.each(Object.entries(attacks))('a token is rejected: %s', async (_, attack) => {
    expect(await statusOf(await attack())).toBe(401);
  });
});

test('a token is accepted until 30 seconds after its expiry', async () => {
  expect(await statusOf(await forged({ exp: seconds() - 25 }))).toBe(200);
  expect(await statusOf(await forged({ iat: seconds() + 25 }))).toBe(200);
});

/** The credential in a signed token. */
function credentialOf({ headers }: Pick<Client, 'headers'>): Credential & { sessionId: string } {
  const { sub, sid } = decode(headers.authorization?.split('.')[1] ?? '') as { sub: string; sid: string };
  const [kind, id] = sub.split(':');
  return { kind: kind === 'key' ? 'key' : 'user', id: Number(id), home: acme.accountId, sessionId: sid };
}
const principalOf = async (credential: Credential, now = new Date()) =>
  (await loadPrincipal(credential, undefined, now)).principal();
const refused = expect.objectContaining({ code: 'not_authenticated' });

test('a session is accepted only for the principal that opened it', async () => {
  const grace = await member(acme);
  const authorization = await signIn({ email: grace.user.email, password: memberPassword });
  const credentials = [acme.admin, acme.key, grace.client, client({ authorization })].map(credentialOf);
  for (const one of credentials)
    for (const { sessionId, kind, id } of credentials) {
      const principal = principalOf({ ...one, sessionId });
      if (one.kind === kind && one.id === id) expect(await principal).toMatchObject({ kind, id, sessionId });
      else await expect(principal).rejects.toEqual(refused);
    }
});

test('an API key becomes invalid at its expiresAt', async () => {
  const expiresAt = new Date(Date.now() + 3600_000).toISOString();
  const key = await acme.admin.ok(createApiKey, { body: { description: 'An hour', expiresAt } });
  const credential = keyCredential(key.apiKey, key.apiSecret);
  if (!credential) throw new Error('The key is invalid.');
  const at = (milliseconds: number) =>
    principalOf(credential, new Date(Date.parse(expiresAt) + milliseconds));
  expect(await at(-1)).toMatchObject({ kind: 'key', id: key.id });
  await expect(at(0)).rejects.toEqual(refused);
  await expect(at(1)).rejects.toEqual(refused);
});

describe('a rotation of the signing secret', () => {
  const secretWith = (kids: string[]) =>
    JSON.stringify({ ...JSON.parse(secretText), kids, 2: 'the next secret, which is still unknown' });
  const withBoth = secretWith(['2', '1']);
  /** Advances the clock of the process, because the keyring does not use the clock of the harness. */
  const pass = (milliseconds: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
  };
  afterEach(() => {
    vi.useRealTimers();
  });

  test('if a token has an unknown key id (`kid`), the keys are read again, so that a key rotation ends no session', async () => {
    writeFileSync(secretFile, withBoth);
    pass(1100);
    expect(await statusOf(await forged({}, { kid: '2' }, keyOf('2', withBoth)))).toBe(200);
    expect(await statusOf(await forged({ nonce: 2 }))).toBe(200);
    const fresh = await signIn({ apiKey: acme.apiKey, apiSecret: acme.apiSecret });
    expect(decode(fresh.replace('Bearer ', '').split('.')[0] ?? '')).toMatchObject({ kid: '2' });
  });

  test('a token is rejected five minutes after its key was removed, even if it was accepted in the meantime', async () => {
    pass(6 * 60_000);
    expect(await statusOf(genuine)).toBe(200);
    writeFileSync(secretFile, secretWith(['2']));
    pass(5 * 60_000 - 1);
    const late = await forged({ nonce: 3 });
    expect([await statusOf(genuine), await statusOf(late)]).toEqual([200, 200]);
    pass(1);
    expect([await statusOf(genuine), await statusOf(late)]).toEqual([401, 401]);
  });

  test('while the secret store returns no valid secret, the cached secret is used', async () => {
    writeFileSync(secretFile, 'not a secret');
    pass(11 * 60_000);
    expect(await statusOf(await forged({ nonce: 4 }, { kid: '2' }, keyOf('2', withBoth)))).toBe(200);
  });
});

test('a secret is rejected if it has no key ids (`kids`), or if a key is missing or too short', () => {
  for (const text of ['{}', '{"kids":[]}', '{"kids":["1"]}', '{"kids":["1"],"1":"short"}'])
    expect(() => parseKeyring(text), text).toThrow(/signing secret/);
  expect(() => parseKeyring('no JSON')).toThrow();
});

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const numberIn = (text: string) => [...text].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);

test('a secret ends with a checksum of its random part', () => {
  for (let n = 0; n < 100; n++) {
    const [, random = '', checksum = ''] =
      /^mo_sk_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(mintSecret()) ?? [];
    expect(numberIn(checksum)).toBe(createHash('sha256').update(random).digest().readUInt32BE(0));
  }
});

test('an API key contains its account and id, and two keys for the same id differ', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), fc.maxSafeNat(), (account, id) => {
      const [one, other] = [mintApiKey(account as AccountId, id), mintApiKey(account as AccountId, id)];
      expect(parseApiKey(one)).toEqual({ account, id });
      expect(one).not.toBe(other);
    }),
  );
});
