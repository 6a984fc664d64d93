import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import changePassword from '../../functions/auth/change-password.ts';
import confirmFactor from '../../functions/auth/confirm-factor.ts';
import createFactor from '../../functions/auth/create-factor.ts';
import deleteFactor from '../../functions/auth/delete-factor.ts';
import listFactors from '../../functions/auth/list-factors.ts';
import logIn from '../../functions/auth/log-in.ts';
import readSession from '../../functions/auth/read-session.ts';
import renewRecoveryCodes from '../../functions/auth/renew-recovery-codes.ts';
import startPasskeyLogin from '../../functions/auth/start-passkey-login.ts';
import verifyLogin from '../../functions/auth/verify-login.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import forceUserPassword from '../../functions/users/force-user-password.ts';
import resetFactors from '../../functions/users/reset-factors.ts';
import updateUser from '../../functions/users/update-user.ts';
import { scanTable } from '../../infra/operations/scan-table.ts';
import { eraseItems } from '../../shared/closing/erase-items.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { CreationOptions, UsedCredential } from '../../shared/people/factors/schema.ts';
import { passkeyHolderAcrossAccountsKey } from '../../shared/people/users/keys.ts';
import { getItem } from '../../shared/table/read.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { clock } from '../harness/clock.ts';
import {
  addFactor,
  addPasskey,
  challengeOf,
  codeOf,
  codePeriod,
  passkeyChallengeOf,
} from '../harness/factors.ts';
import { joins, type Member, member, memberPassword, provesAgain } from '../harness/member.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { type Client, client, sessionIn, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const anybody = client({});
const fiveMinutes = 5 * 60_000;

afterEach(() => {
  clock.reset();
  vi.unstubAllEnvs();
});

const verify = (challenge: string, credential: UsedCredential) =>
  anybody.call(verifyLogin, { body: { challenge, credential } });

const inSession = (token: string) =>
  client({ authorization: `Bearer ${token}`, 'x-account-id': acme.accountId });

/** Logs in with a passkey alone. */
async function logInWith(authenticator: Authenticator) {
  const { challenge, publicKey } = await anybody.ok(startPasskeyLogin, {});
  return verify(challenge, authenticator.use(publicKey));
}

/** Begins to add a passkey. */
async function begin(session: Client): Promise<{ factorId: number; publicKey: CreationOptions }> {
  const { factor, publicKey } = await session.ok(createFactor, { body: { type: 'passkey', name: 'Key' } });
  if (!publicKey) throw new Error('There are no options for a passkey.');
  return { factorId: factor.id, publicKey };
}

const rejected = { status: 401, body: { error: 'passkey_rejected' } };

describe('a passkey', () => {
  test('is asked for by the login after its creation, and opens a session that works as before', async () => {
    const ada = await member(acme, ['readLeads']);
    const { factorId, publicKey } = await begin(ada.client);
    expect(publicKey).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: ada.user.email },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const login = { body: { email: ada.user.email, password: memberPassword } };
    const before = sessionIn(await anybody.ok(logIn, login));
    const authenticator = new Authenticator();
    const { factor, recoveryCodes } = await ada.client.ok(confirmFactor, {
      params: { factorId },
      body: { credential: authenticator.create(publicKey) },
    });
    expect(factor).toMatchObject({ type: 'passkey', name: 'Key', confirmed: true });
    expect(recoveryCodes).toHaveLength(10);
    expect((await inSession(before.token).call(listLeads)).status).toBe(401);
    await ada.client.ok(listLeads);

    clock.advance(60_000);
    const asked = await passkeyChallengeOf(ada);
    expect(asked.publicKey).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    const { status, body } = await verify(asked.challenge, authenticator.use(asked.publicKey));
    expect(status).toBe(200);
    await inSession(sessionIn(body).token).ok(listLeads);
    const [shown] = (await ada.client.ok(listFactors)).factors;
    expect(Date.parse(shown?.lastUsedAt ?? '') - Date.parse(shown?.createdAt ?? '')).toBeGreaterThan(60_000);
    expect((await storedEvents(acme.accountId)).slice(-2)).toMatchObject([
      {
        kind: 'no_event_name',
        data: { happening: 'factor_added', detail: { type: 'passkey', name: 'Key' } },
      },
      { kind: 'user_logged_in', data: { method: 'password', factor: 'passkey' } },
    ]);
    // The recovery codes also work for a user without an authenticator app.
    const code = recoveryCodes?.[0] ?? '';
    const recovered = await anybody.call(verifyLogin, { body: { challenge: asked.challenge, code } });
    expect(recovered.status).toBe(200);
  });

  test('is enough to log in without a password, in each account of the user', async () => {
    const [ada, globex] = [await member(acme, ['readLeads']), await tenant()];
    const { authenticator } = await addPasskey(ada.client);
    await joins(ada, globex, { accountAdmin: true });
    const { status, body } = await logInWith(authenticator);
    expect(status).toBe(200);
    const { token } = sessionIn(body);
    for (const { accountId } of [acme, globex])
      await client({ authorization: `Bearer ${token}`, 'x-account-id': accountId }).ok(listLeads);
    const [event] = (await storedEvents(acme.accountId)).slice(-1);
    expect(event).toMatchObject({ kind: 'user_logged_in', data: { method: 'passkey', factor: 'passkey' } });
  });

  test('starts a login with the same response for everybody, and is unknown after its user is deleted', async () => {
    const ada = await member(acme);
    const { authenticator } = await addPasskey(ada.client);
    const { publicKey } = await anybody.ok(startPasskeyLogin, {});
    expect(publicKey).toEqual({
      rpId: 'localhost',
      challenge: expect.any(String),
      timeout: fiveMinutes,
      userVerification: 'required',
    });
    await acme.admin.ok(deleteUser, { params: { email: ada.user.email } });
    expect(await getItem(passkeyHolderAcrossAccountsKey(ada.user.id))).toBeUndefined();
    const [deleted, unknown] = [await logInWith(authenticator), new Authenticator()];
    unknown.create({ ...(await begin((await member(acme)).client)).publicKey });
    expect((await logInWith(unknown)).body).toEqual(deleted.body);
    expect(deleted).toMatchObject(rejected);
  });

  test('and an authenticator app can both be used, and each user has at most ten passkeys with names', async () => {
    const ada = await member(acme);
    const { secret } = await addFactor(ada.client);
    const authenticator = new Authenticator();
    for (let n = 0; n < 10; n++) await addPasskey(ada.client, authenticator);
    const body = { type: 'passkey', name: 'Eleventh' } as const;
    expect((await ada.client.call(createFactor, { body })).body.error).toBe('too_many_factors');
    expect(await ada.client.ok(listFactors)).toMatchObject({
      factors: [{ type: 'totp' }, ...Array.from({ length: 10 }, () => ({ type: 'passkey', name: 'Laptop' }))],
    });
    for (const { id } of authenticator.passkeys) {
      const { challenge, publicKey } = await passkeyChallengeOf(ada);
      expect((await verify(challenge, authenticator.use(publicKey, {}, id))).status).toBe(200);
    }
    const code = codeOf(secret);
    const { challenge } = await passkeyChallengeOf(ada);
    expect((await anybody.call(verifyLogin, { body: { challenge, code } })).status).toBe(200);
    const both = { challenge, code, credential: authenticator.use({ challenge: 'x', rpId: 'localhost' }) };
    for (const sent of [both, { challenge }])
      expect((await anybody.call(verifyLogin, { body: sent })).body.error).toBe('invalid_input');
  });

  test('is named in the options for the next one, and cannot be added twice', async () => {
    const ada = await member(acme);
    const { authenticator } = await addPasskey(ada.client);
    const [passkey] = authenticator.passkeys;
    const { factorId, publicKey } = await begin(ada.client);
    expect(publicKey.excludeCredentials).toEqual([
      { id: passkey?.id, type: 'public-key', transports: ['internal'] },
    ]);
    // The authenticator ignores the list and returns the same id.
    const created = new Authenticator().create(publicKey);
    const [id = ''] = [passkey?.id];
    const attestation = Buffer.from(created.response.attestationObject, 'base64url');
    Buffer.from(id, 'base64url').copy(attestation, attestation.indexOf(Buffer.from(created.id, 'base64url')));
    const credential = {
      ...created,
      id,
      rawId: id,
      response: { ...created.response, attestationObject: attestation.toString('base64url') },
    };
    const params = { factorId };
    expect(await ada.client.call(confirmFactor, { params, body: { credential } })).toMatchObject(rejected);
  });

  test('ends every other session when it is removed, and without a passkey the session has proved none', async () => {
    const ada = await member(acme);
    const { authenticator, factorId } = await addPasskey(ada.client);
    const { secret } = await addFactor(ada.client);
    const { token } = sessionIn((await logInWith(authenticator)).body);
    await ada.client.ok(deleteFactor, { params: { factorId } });
    expect((await inSession(token).call(readSession)).status).toBe(401);
    expect(await logInWith(authenticator)).toMatchObject(rejected);
    // The app remains, and this session has not proved it.
    const body = { type: 'passkey', name: 'Key' } as const;
    expect((await ada.client.call(createFactor, { body })).body.error).toBe('factor_required');
    clock.advance(codePeriod);
    const verified = await anybody.call(verifyLogin, {
      body: { challenge: await challengeOf(ada), code: codeOf(secret) },
    });
    await inSession(sessionIn(verified.body).token).ok(createFactor, { body });
  });

  test('is removed by an administrator, with the way from the passkey to the user', async () => {
    const ada = await member(acme);
    const { authenticator } = await addPasskey(ada.client);
    await acme.admin.ok(resetFactors, { params: { email: ada.user.email } });
    expect(await logInWith(authenticator)).toMatchObject(rejected);
    expect(await getItem(passkeyHolderAcrossAccountsKey(ada.user.id))).toBeUndefined();
    sessionIn(await anybody.ok(logIn, { body: { email: ada.user.email, password: memberPassword } }));
  });

  test('still works after the account is erased in which its user was created', async () => {
    const [closed, globex] = [await tenant(), await tenant()];
    const [ada, ben] = [await member(closed), await member(closed)];
    const [kept, gone] = [await addPasskey(ada.client), await addPasskey(ben.client)];
    await joins(ada, globex);
    const [ownLogs, writeDeadline] = [new Set<AccountId>(), () => Date.now() + 60_000];
    // The first run removes the logs of users who leave, and the second run removes the users.
    for (const _ of ['logs', 'users'])
      await eraseItems(closed.accountId, {
        count: false,
        ownLogs,
        pages: scanTable(),
        writeDeadline,
        removeRawMails: async () => {},
      });
    expect((await logInWith(kept.authenticator)).status).toBe(200);
    expect(await logInWith(gone.authenticator)).toMatchObject(rejected);
    expect(await getItem(passkeyHolderAcrossAccountsKey(ben.user.id))).toBeUndefined();
  });

  test('is not offered by a stage without a domain for passkeys', async () => {
    const ada = await member(acme);
    await addPasskey(ada.client);
    vi.stubEnv('PASSKEY_DOMAIN', undefined);
    const unavailable = { status: 400, body: { error: 'passkeys_unavailable' } };
    expect(await anybody.call(startPasskeyLogin, {})).toMatchObject(unavailable);
    const { user, client: session } = await member(acme);
    const body = { type: 'passkey', name: 'Key' } as const;
    expect(await session.call(createFactor, { body })).toMatchObject(unavailable);
    expect(await anybody.ok(logIn, { body: { email: ada.user.email, password: memberPassword } })).toEqual({
      mfaRequired: true,
      challenge: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(user.email).not.toBe(ada.user.email);
  });
});

describe('a session that has proved only a code', () => {
  test('changes no factor and no password of a user with a passkey, because a false page can collect codes', async () => {
    const ada = await member(acme);
    const { secret, recoveryCodes } = await addFactor(ada.client);
    const { factorId } = await addPasskey(ada.client);
    const withCode = async (code: string) => {
      const { challenge } = await passkeyChallengeOf(ada);
      const { body } = await anybody.call(verifyLogin, { body: { challenge, code } });
      return inSession(sessionIn(body).token);
    };
    const phished = await withCode(codeOf(secret));
    const newPassword = 'a password of the attacker';
    const attempts = await Promise.all([
      phished.call(createFactor, { body: { type: 'passkey', name: 'Attacker' } }),
      phished.call(createFactor, { body: { type: 'totp', name: 'Attacker' } }),
      phished.call(deleteFactor, { params: { factorId } }),
      phished.call(renewRecoveryCodes, {}),
      phished.call(changePassword, { body: { currentPassword: memberPassword, newPassword } }),
    ]);
    for (const { body } of attempts) expect(body).toMatchObject({ error: 'passkey_required' });
    // A recovery code is for a lost passkey.
    await addPasskey(await withCode(recoveryCodes[0] ?? ''));
  });

  test('does not change them as an administrator either', async () => {
    const globex = await tenant();
    const { admin, accountId, adminEmail } = globex;
    const ada = await member(globex);
    const params = { email: ada.user.email };
    await admin.ok(updateUser, { params, body: { accountAdmin: true } });
    const { secret } = await addFactor(ada.client);
    await addPasskey(ada.client);
    const { challenge } = await passkeyChallengeOf(ada);
    const { body } = await anybody.call(verifyLogin, { body: { challenge, code: codeOf(secret) } });
    const phished = client({
      authorization: `Bearer ${sessionIn(body).token}`,
      'x-account-id': accountId,
    });
    const password = 'a password of the attacker';
    for (const attempt of [
      phished.call(resetFactors, { params }),
      phished.call(forceUserPassword, { params, body: { password } }),
    ])
      expect((await attempt).body).toMatchObject({ error: 'passkey_required' });
    await phished.ok(forceUserPassword, { params: { email: adminEmail }, body: { password } });
  });
});

test('a session that has proved a recovery code removes a lost passkey, also after it has added an app', async () => {
  const ada = await member(acme);
  const { factorId, recoveryCodes } = await addPasskey(ada.client);
  const { challenge } = await passkeyChallengeOf(ada);
  const body = { challenge, code: recoveryCodes[0] };
  const session = inSession(sessionIn(await anybody.ok(verifyLogin, { body })).token);
  await addFactor(session);
  await session.ok(deleteFactor, { params: { factorId } });
  expect((await session.ok(listFactors)).factors).toMatchObject([{ type: 'totp' }]);
});

describe('a creation of a passkey is rejected', () => {
  const differences = {
    'a page of another origin': { origin: 'https://localhost.attacker.example' },
    'a page with the address of this machine': { origin: 'http://127.0.0.1:3000' },
    'a page inside a page of another origin': { crossOrigin: true },
    'another site': { rpId: 'attacker.example' },
    'an authenticator that has not verified its user': { verified: false },
    'another challenge': { challenge: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA' },
    'the use of a passkey': { type: 'webauthn.get' },
    'an algorithm that was not offered': { algorithm: -38 },
  };
  test.each(Object.entries(differences))('for %s', async (_, difference) => {
    const ada = await member(acme);
    const { factorId, publicKey } = await begin(ada.client);
    const params = { factorId };
    const body = { credential: new Authenticator().create(publicKey, difference) };
    expect(await ada.client.call(confirmFactor, { params, body })).toMatchObject(rejected);
    const credential = new Authenticator().create(publicKey);
    await ada.client.ok(confirmFactor, { params, body: { credential } });
  });

  test('for another user, after five minutes, a second time, with a code, and for malformed data', async () => {
    const [ada, ben] = [await member(acme), await member(acme)];
    const [own, other] = [await begin(ada.client), await begin(ben.client)];
    const credential = new Authenticator().create(own.publicKey);
    const [params, ofOther] = [{ factorId: own.factorId }, { factorId: other.factorId }];
    expect(await ben.client.call(confirmFactor, { params: ofOther, body: { credential } })).toMatchObject(
      rejected,
    );
    expect((await ben.client.call(confirmFactor, { params, body: { credential } })).status).toBe(404);
    for (const body of [{ code: '123456' }, { code: '123456', credential }, {}])
      expect((await ada.client.call(confirmFactor, { params, body })).body.error).toBe('invalid_input');
    const malformed = { ...credential.response, attestationObject: 'oA' };
    const broken = { credential: { ...credential, response: malformed } };
    expect(await ada.client.call(confirmFactor, { params, body: broken })).toMatchObject(rejected);
    await ada.client.ok(confirmFactor, { params, body: { credential } });
    expect((await ada.client.call(confirmFactor, { params, body: { credential } })).status).toBe(404);
    const late = await begin(ada.client);
    clock.advance(fiveMinutes + 1000);
    const sent = { credential: new Authenticator().create(late.publicKey) };
    expect(
      (await ada.client.call(confirmFactor, { params: { factorId: late.factorId }, body: sent })).status,
    ).toBe(404);
  });
});

describe('a use of a passkey is rejected', () => {
  const differences = {
    'a page of another origin': { origin: 'https://localhost.attacker.example' },
    'a page with another scheme': { origin: 'https://localhost:3000' },
    'a page inside a page of another origin': { crossOrigin: true },
    'another site': { rpId: 'attacker.example' },
    'an authenticator that has not verified its user': { verified: false },
    'another challenge': { challenge: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA' },
    'a creation of a passkey': { type: 'webauthn.create' },
    'another user handle': { userHandle: 'MQ' },
    'a counter that goes back': { counter: 4 },
    'a counter that stays': { counter: 5 },
  };
  const starts = {
    'with a password': (of: Member) => passkeyChallengeOf(of),
    'without a password': (_: Member) => anybody.ok(startPasskeyLogin, {}),
  };
  describe.each(Object.entries(starts))('%s', (_, start) => {
    test.each(Object.entries(differences))('for %s', async (__, difference) => {
      const ada = await member(acme);
      const { authenticator } = await addPasskey(ada.client);
      const first = await start(ada);
      const counted = authenticator.use(first.publicKey, { counter: 5 });
      expect((await verify(first.challenge, counted)).status).toBe(200);
      const { challenge, publicKey } = await start(ada);
      expect(await verify(challenge, authenticator.use(publicKey, difference))).toMatchObject(rejected);
      const right = authenticator.use(publicKey, { counter: 6 });
      expect((await verify(challenge, right)).status).toBe(200);
    });

    test('for a signature of another key, and for another user', async () => {
      const [ada, ben] = [await member(acme), await member(acme)];
      const [own, other] = [await addPasskey(ada.client), await addPasskey(ben.client)];
      const { challenge, publicKey } = await start(ada);
      const [passkey] = own.authenticator.passkeys;
      const forger = new Authenticator();
      const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      if (passkey) forger.passkeys.push({ ...passkey, key });
      expect(await verify(challenge, forger.use(publicKey))).toMatchObject(rejected);
      const userHandle = passkey?.userHandle;
      const mixed = other.authenticator.use(publicKey, { userHandle });
      expect(await verify(challenge, mixed)).toMatchObject(rejected);
    });

    test('for a person of another account', async () => {
      const ada = await member(acme);
      const ben = await member(await tenant(), ['readLeads']);
      const [own, other] = [await addPasskey(ada.client), await addPasskey(ben.client)];
      const { challenge, publicKey } = await start(ada);
      const userHandle = own.authenticator.passkeys[0]?.userHandle;
      expect(await verify(challenge, other.authenticator.use(publicKey, { userHandle }))).toMatchObject(
        rejected,
      );
      // Without a handle of somebody else, the passkey is rejected or opens only the session of its own person.
      const { status, body } = await verify(challenge, other.authenticator.use(publicKey));
      if (start === starts['with a password']) expect({ status, body }).toMatchObject(rejected);
      else {
        const session = sessionIn(body);
        expect([session.id, session.accounts.length]).toEqual([ben.user.id, 1]);
        expect((await inSession(session.token).call(listLeads)).status).toBe(403);
      }
    });

    test('a second time, also if it is sent ten times at once', async () => {
      const ada = await member(acme);
      const { authenticator } = await addPasskey(ada.client);
      const { challenge, publicKey } = await start(ada);
      // The authenticator does not count, so only the challenge tells the uses apart.
      const credential = authenticator.use(publicKey, { counter: 0 });
      const together = await Promise.all(Array.from({ length: 10 }, () => verify(challenge, credential)));
      expect(together.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await verify(challenge, credential)).toMatchObject(rejected);
      const again = await start(ada);
      expect(await verify(again.challenge, credential)).toMatchObject(rejected);
    });

    test('after five minutes', async () => {
      const ada = await member(acme);
      const { authenticator } = await addPasskey(ada.client);
      const { challenge, publicKey } = await start(ada);
      clock.advance(fiveMinutes + 1000);
      const late = await verify(challenge, authenticator.use(publicKey));
      expect(late).toMatchObject({ status: 401, body: { error: 'challenge_invalid' } });
    });
  });

  test('for the challenge of another kind of login', async () => {
    const [ada, ben] = [await member(acme), await member(acme)];
    const { authenticator } = await addPasskey(ada.client);
    const { secret } = await addFactor(ben.client);
    const [own, alone] = [await passkeyChallengeOf(ada), await anybody.ok(startPasskeyLogin, {})];
    const use = authenticator.use(own.publicKey);
    expect(await verify(alone.challenge, use)).toMatchObject(rejected);
    expect(await verify(own.challenge, authenticator.use(alone.publicKey))).toMatchObject(rejected);
    expect(await verify(await challengeOf(ben), use)).toMatchObject(rejected);
    clock.advance(codePeriod);
    const withCode = { challenge: alone.challenge, code: codeOf(secret) };
    expect((await anybody.call(verifyLogin, { body: withCode })).body.error).toBe('challenge_invalid');
    expect((await inSession(alone.challenge).call(readSession)).status).toBe(401);
    // The challenge of an addition is not for a login.
    const { publicKey } = await begin(ada.client);
    const added = authenticator.use({ challenge: publicKey.challenge, rpId: publicKey.rp.id });
    expect(await verify(own.challenge, added)).toMatchObject(rejected);
  });
});

describe('an account that requires a passkey', () => {
  test('accepts only sessions that have proved one, after the days of grace, and never rejects API keys', async () => {
    const strict = await tenant();
    const ada = await member(strict, ['readLeads']);
    const params = { id: strict.accountId };
    const set = (policy: 'required' | 'phishingResistant', graceDays = 0) =>
      strict.admin.ok(updateAccount, { params, body: { mfa: { policy, graceDays } } });
    const { mfaEnforcedFrom, passkeysEnforcedFrom, updatedAt } = await set('phishingResistant', 7);
    expect(passkeysEnforcedFrom).toBe(mfaEnforcedFrom);
    expect(Date.parse(mfaEnforcedFrom ?? '') - Date.parse(updatedAt)).toBe(7 * 86_400_000);
    await ada.client.ok(listLeads);
    const { secret } = await addFactor(ada.client);
    await set('phishingResistant');
    expect((await ada.client.call(listLeads)).body).toMatchObject({ error: 'passkey_required', status: 403 });
    expect((await strict.admin.call(listLeads)).body.error).toBe('factor_required');
    await strict.key.ok(listLeads);
    await addPasskey(ada.client);
    await ada.client.ok(listLeads);
    clock.advance(codePeriod);
    const { body } = await anybody.call(verifyLogin, {
      body: { challenge: await challengeOf(ada), code: codeOf(secret) },
    });
    const withCode = client({
      authorization: `Bearer ${sessionIn(body).token}`,
      'x-account-id': strict.accountId,
    });
    expect((await withCode.call(listLeads)).body.error).toBe('passkey_required');
  });

  test('keeps a weaker policy in effect during the days of grace', async () => {
    const strict = await tenant();
    const [boss, ada] = [await member(strict), await member(strict, ['readLeads'])];
    await strict.admin.ok(updateUser, {
      params: { email: boss.user.email },
      body: { accountAdmin: true },
    });
    await addPasskey(boss.client);
    const params = { id: strict.accountId };
    const set = (policy: 'required' | 'phishingResistant', graceDays = 0) =>
      boss.client.ok(updateAccount, { params, body: { mfa: { policy, graceDays } } });
    const { mfaEnforcedFrom } = await set('required');
    clock.advance(1000);
    const stronger = await set('phishingResistant', 1);
    expect(stronger.mfaEnforcedFrom).toBe(mfaEnforcedFrom);
    expect((await ada.client.call(listLeads)).body.error).toBe('factor_required');
    await addFactor(ada.client);
    await ada.client.ok(listLeads);
    clock.advance(86_400_000 - 3_600_000 * 13);
    await provesAgain(boss.client);
    expect((await set('required')).passkeysEnforcedFrom).toBeUndefined();
  });

  test('cannot require it if the service has no domain for passkeys', async () => {
    const strict = await tenant();
    vi.stubEnv('PASSKEY_DOMAIN', undefined);
    const body = { mfa: { policy: 'phishingResistant' } } as const;
    const { status } = await strict.admin.call(updateAccount, { params: { id: strict.accountId }, body });
    expect(status).toBe(400);
  });
});
