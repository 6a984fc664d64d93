import { afterEach, describe, expect, test } from 'vitest';
import readAccount from '../../functions/accounts/read-account.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import changePassword from '../../functions/auth/change-password.ts';
import confirmFactor from '../../functions/auth/confirm-factor.ts';
import createFactor from '../../functions/auth/create-factor.ts';
import deleteFactor from '../../functions/auth/delete-factor.ts';
import listFactors from '../../functions/auth/list-factors.ts';
import logIn from '../../functions/auth/log-in.ts';
import logOut from '../../functions/auth/log-out.ts';
import readSession from '../../functions/auth/read-session.ts';
import renewRecoveryCodes from '../../functions/auth/renew-recovery-codes.ts';
import verifyLogin from '../../functions/auth/verify-login.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import forceUserPassword from '../../functions/users/force-user-password.ts';
import impersonateUser from '../../functions/users/impersonate-user.ts';
import resetFactors from '../../functions/users/reset-factors.ts';
import updateUser from '../../functions/users/update-user.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { scanTable } from '../../infra/operations/scan-table.ts';
import { eraseItems } from '../../shared/closing/erase-items.ts';
import { factorsKey } from '../../shared/people/users/keys.ts';
import { users } from '../../shared/people/users/store.ts';
import { getItem } from '../../shared/table/read.ts';
import { measureUnits } from '../costs/meter.ts';
import { clock } from '../harness/clock.ts';
import { addFactor, challengeOf, codeOf, codePeriod } from '../harness/factors.ts';
import { joins, member, memberPassword, provesAgain } from '../harness/member.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { client, sessionIn, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const anybody = client({});

afterEach(clock.reset);

const verify = (challenge: string, code: string) => anybody.call(verifyLogin, { body: { challenge, code } });

const inSession = (token: string) =>
  client({ authorization: `Bearer ${token}`, 'x-account-id': acme.accountId });

describe('a second factor', () => {
  test('is needed for a login from its confirmation on, and the session then works as before', async () => {
    const ada = await member(acme, ['readLeads']);
    const {
      factor,
      secret = '',
      uri,
    } = await ada.client.ok(createFactor, {
      body: { type: 'totp', name: 'Phone' },
    });
    expect(factor).toMatchObject({ type: 'totp', name: 'Phone', confirmed: false });
    expect(uri).toBe(
      `otpauth://totp/merchant-ops:${encodeURIComponent(ada.user.email)}?secret=${secret}&issuer=merchant-ops`,
    );
    const login = { body: { email: ada.user.email, password: memberPassword } };
    const before = sessionIn(await anybody.ok(logIn, login));
    const { recoveryCodes } = await ada.client.ok(confirmFactor, {
      params: { factorId: factor.id },
      body: { code: codeOf(secret) },
    });
    expect(new Set(recoveryCodes).size).toBe(10);
    // The sessions that began without the factor have ended, except the one that confirmed it.
    expect((await inSession(before.token).call(listLeads)).status).toBe(401);
    await ada.client.ok(listLeads);

    clock.advance(codePeriod);
    const challenge = await challengeOf(ada);
    expect((await inSession(challenge).call(listLeads)).status).toBe(401);
    const { status, body } = await verify(challenge, codeOf(secret));
    expect(status).toBe(200);
    await inSession(sessionIn(body).token).ok(listLeads);
    const shown = await ada.client.ok(listFactors);
    expect(shown).toMatchObject({ factors: [{ id: factor.id, confirmed: true }], recoveryCodesLeft: 10 });
    expect(shown.factors[0]?.lastUsedAt).toBeDefined();
    expect((await storedEvents(acme.accountId)).slice(-2)).toMatchObject([
      { kind: 'no_event_name', data: { happening: 'factor_added', detail: { email: ada.user.email } } },
      { kind: 'user_logged_in', data: { method: 'password', factor: 'totp' } },
    ]);
  });

  test('accepts the code of the step before, with spaces, and no code twice', async () => {
    const ada = await member(acme);
    const { secret } = await addFactor(ada.client);
    clock.advance(5 * codePeriod);
    const challenge = await challengeOf(ada);
    for (const steps of [-2, 1]) expect((await verify(challenge, codeOf(secret, steps))).status).toBe(401);
    const earlier = codeOf(secret, -1);
    expect((await verify(challenge, `${earlier.slice(0, 3)} ${earlier.slice(3)}`)).status).toBe(200);
    expect((await verify(challenge, earlier)).body).toMatchObject({ error: 'code_wrong', status: 401 });
    const now = codeOf(secret);
    const together = await Promise.all([1, 2, 3, 4].map(() => verify(challenge, now)));
    expect(together.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test('costs a login 2 read units and 4 write units: the person and the factors are read, and the used code is stored', async () => {
    const [ada, ben] = [await member(acme), await member(acme)];
    const { secret } = await addFactor(ada.client);
    // The first call of a minute costs a write unit.
    clock.advance(60_000);
    const without = await measureUnits(() =>
      anybody.ok(logIn, { body: { email: ben.user.email, password: memberPassword } }),
    );
    const withCode = await measureUnits(async () => {
      const challenge = await challengeOf(ada);
      await anybody.ok(verifyLogin, { body: { challenge, code: codeOf(secret) } });
    });
    expect([withCode.read - without.read, withCode.write - without.write]).toEqual([2, 4]);
  });

  test('a recovery code works once, also if it is sent ten times at once', async () => {
    const ada = await member(acme);
    const { recoveryCodes } = await addFactor(ada.client);
    const challenge = await challengeOf(ada);
    const [code = '', next = ''] = recoveryCodes;
    const together = await Promise.all(Array.from({ length: 10 }, () => verify(challenge, code)));
    expect(together.filter(({ status }) => status === 200)).toHaveLength(1);
    // The other nine count as wrong codes.
    clock.advance(60_000);
    const { status, body } = await verify(challenge, next.toLowerCase().replaceAll('-', ' '));
    expect(status).toBe(200);
    expect(await ada.client.ok(listFactors)).toMatchObject({ recoveryCodesLeft: 8 });
    const session = inSession(sessionIn(body).token);
    const { recoveryCodes: renewed } = await session.ok(renewRecoveryCodes, {});
    expect(renewed).not.toContain(recoveryCodes[2]);
    expect((await verify(challenge, recoveryCodes[2] ?? '')).status).toBe(401);
    expect((await verify(challenge, renewed[0] ?? '')).status).toBe(200);
  });

  test('after five wrong codes, even the right code has to wait, longer with each wrong code', async () => {
    const ada = await member(acme);
    const { secret } = await addFactor(ada.client);
    const challenge = await challengeOf(ada);
    const wrong = () => String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0');
    const before = (await storedEvents(acme.accountId)).length;
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await verify(challenge, wrong())).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    const limited = { kind: 'no_event_name', data: { happening: 'factor_codes_rejected' } };
    const reported = async () => (await storedEvents(acme.accountId)).slice(before);
    expect(await reported()).toMatchObject([
      { ...limited, actor: { user: 'anonymous' }, request: { path: '/auth/login/verify' } },
    ]);
    const delayed = await verify(challenge, codeOf(secret));
    expect(delayed).toMatchObject({ status: 429, headers: { 'retry-after': '30' } });
    clock.advance(30_000);
    expect((await verify(challenge, wrong())).status).toBe(401);
    expect((await verify(challenge, codeOf(secret))).headers['retry-after']).toBe('60');
    clock.advance(60_000);
    expect((await verify(challenge, codeOf(secret))).status).toBe(200);
    // The further wrong codes emitted no event.
    expect((await reported()).map(({ kind }) => kind)).toEqual(['no_event_name', 'user_logged_in']);
    clock.advance(codePeriod);
    expect((await verify(await challengeOf(ada), wrong())).status).toBe(401);
    expect((await verify(await challengeOf(ada), codeOf(secret))).status).toBe(200);
  });

  test('wrong codes at the same moment do not exceed the limit', async () => {
    const ada = await member(acme);
    const { secret } = await addFactor(ada.client);
    const challenge = await challengeOf(ada);
    const right = Number(codeOf(secret));
    const guesses = Array.from({ length: 12 }, (_, n) =>
      String((right + n + 1) % 1_000_000).padStart(6, '0'),
    );
    const statuses = (await Promise.all(guesses.map((guess) => verify(challenge, guess)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });

  test('a challenge ends after five minutes and with a new password, and is neither forged nor a session', async () => {
    const ada = await member(acme);
    const { secret } = await addFactor(ada.client);
    const old = await challengeOf(ada);
    clock.advance(5 * 60_000 + 1000);
    const invalid = { status: 401, body: { error: 'challenge_invalid' } };
    expect(await verify(old, codeOf(secret))).toMatchObject(invalid);
    const challenge = await challengeOf(ada);
    const [head = '', payload = '', signature = ''] = challenge.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const other = Buffer.from(JSON.stringify({ ...claims, sub: 'user:1' })).toString('base64url');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'challenge+jwt' })).toString('base64url');
    const { token } = sessionIn((await verify(challenge, codeOf(secret))).body);
    for (const forged of [`${head}.${other}.${signature}`, `${none}.${payload}.`, token, 'x'])
      expect(await verify(forged, '123456')).toMatchObject(invalid);
    const newPassword = 'another password of their own';
    await inSession(token).ok(changePassword, { body: { currentPassword: memberPassword, newPassword } });
    clock.advance(codePeriod);
    expect(await verify(challenge, codeOf(secret))).toMatchObject(invalid);
    expect((await verify(await challengeOf(ada, newPassword), codeOf(secret))).status).toBe(200);
  });

  test('a wrong password gets the same response with and without a factor', async () => {
    const [ada, ben] = [await member(acme), await member(acme)];
    await addFactor(ada.client);
    const [known, plain, nobody] = await Promise.all(
      [ada.user.email, ben.user.email, 'nobody@example.com'].map(
        async (email) => (await anybody.call(logIn, { body: { email, password: 'wrong' } })).body,
      ),
    );
    expect([known, plain]).toEqual([nobody, nobody]);
  });

  test('needs a proved mailbox, and a code of its own secret within 15 minutes', async () => {
    const { client: session } = await member(acme);
    const body = { type: 'totp', name: 'Phone' } as const;
    expect((await acme.admin.call(createFactor, { body })).body.error).toBe('mailbox_not_proved');
    expect((await acme.key.call(createFactor, { body })).body.error).toBe('users_only');
    const first = await session.ok(createFactor, { body });
    const second = await session.ok(createFactor, { body });
    const confirm = async (factorId: number, secret = '') =>
      (await session.call(confirmFactor, { params: { factorId }, body: { code: codeOf(secret) } })).body;
    expect(await confirm(first.factor.id, first.secret)).toMatchObject({ error: 'not_found' });
    expect(await confirm(second.factor.id, first.secret)).toMatchObject({ error: 'code_wrong' });
    clock.advance(15 * 60_000 + 1000);
    await provesAgain(session);
    expect(await confirm(second.factor.id, second.secret)).toMatchObject({ error: 'not_found' });
    const third = await session.ok(createFactor, { body });
    expect(await confirm(third.factor.id, third.secret)).toMatchObject({ factor: { confirmed: true } });
    expect(await confirm(third.factor.id, third.secret)).toMatchObject({ error: 'not_found' });
  });

  test('a code is wrong, and no error, if an instance with a faster clock has accepted a later one', async () => {
    const ada = await member(acme);
    const { secret } = await addFactor(ada.client);
    clock.advance(2 * codePeriod);
    const challenge = await challengeOf(ada);
    const earlier = codeOf(secret, -1);
    expect((await verify(challenge, codeOf(secret))).status).toBe(200);
    clock.advance(-codePeriod);
    expect((await verify(challenge, earlier)).body).toMatchObject({ error: 'code_wrong' });
  });

  test('a user has at most five, each works, and without the last one the password is enough', async () => {
    const ada = await member(acme);
    const own = [await addFactor(ada.client)];
    for (let n = 1; n < 5; n++) own.push(await addFactor(ada.client));
    const body = { type: 'totp', name: 'Sixth' } as const;
    expect((await ada.client.call(createFactor, { body })).body.error).toBe('too_many_factors');
    const challenge = await challengeOf(ada);
    for (const { secret } of own) expect((await verify(challenge, codeOf(secret))).status).toBe(200);
    const other = sessionIn((await verify(challenge, own[0]?.recoveryCodes[0] ?? '')).body);
    for (const { factorId } of own) await ada.client.ok(deleteFactor, { params: { factorId } });
    expect((await inSession(other.token).call(listFactors)).status).toBe(401);
    expect(await ada.client.ok(listFactors)).toEqual({ factors: [], recoveryCodesLeft: 0 });
    sessionIn(await anybody.ok(logIn, { body: { email: ada.user.email, password: memberPassword } }));
    const [first] = own;
    expect((await verify(challenge, codeOf(first?.secret ?? '', 1))).status).toBe(401);
  });

  test('its secret is stored encrypted, and appears in no event', async () => {
    const ada = await member(acme);
    const { secret, recoveryCodes } = await addFactor(ada.client);
    const user = await users.findByEmailAcrossAccounts(ada.user.email);
    const stored = JSON.stringify(await getItem(factorsKey(acme.accountId, Number(user?.id))));
    const events = JSON.stringify(await storedEvents(acme.accountId));
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
      expect(stored).not.toContain(text);
      expect(events).not.toContain(text);
    }
  });
});

describe('an administrator', () => {
  test('resets the factors of a member of this account only, which ends the sessions', async () => {
    const [ada, globex] = [await member(acme), await tenant()];
    await addFactor(ada.client);
    const params = { email: ada.user.email };
    const body = { password: 'an enforced password' };
    await acme.admin.ok(forceUserPassword, { params, body });
    // A forced password does not replace the factor.
    await challengeOf(ada, body.password);
    await acme.admin.ok(resetFactors, { params });
    expect((await ada.client.call(readSession)).status).toBe(401);
    sessionIn(await anybody.ok(logIn, { body: { ...params, ...body } }));

    const ben = await member(acme);
    await addFactor(ben.client);
    await joins(ben, globex);
    for (const { admin } of [acme, globex])
      expect((await admin.call(resetFactors, { params: { email: ben.user.email } })).body.error).toBe(
        'shared_user',
      );
    await challengeOf(ben);
  });
});

test('a person whose account is erased keeps the factors in another account', async () => {
  const [closed, globex] = [await tenant(), await tenant()];
  const ada = await member(closed);
  const { secret } = await addFactor(ada.client);
  await joins(ada, globex);
  // Each page has one item, so the scan finds the factors before the person.
  async function* pages() {
    for await (const page of scanTable()) for (const item of page) yield [item];
  }
  const writeDeadline = () => Date.now() + 60_000;
  await eraseItems(closed.accountId, {
    count: false,
    ownLogs: new Set(),
    pages: pages(),
    writeDeadline,
    removeRawMails: async () => {},
  });
  expect(await getItem(factorsKey(closed.accountId, ada.user.id))).toBeUndefined();
  expect((await verify(await challengeOf(ada), codeOf(secret))).status).toBe(200);
});

describe('an account that requires a second factor', () => {
  test('rejects sessions without one after the days of grace, except to add one, and never API keys', async () => {
    const strict = await tenant();
    const ada = await member(strict, ['readLeads']);
    const params = { id: strict.accountId };
    const mfa = { policy: 'required', graceDays: 1 } as const;
    const { mfaEnforcedFrom, updatedAt } = await strict.admin.ok(updateAccount, { params, body: { mfa } });
    expect(Date.parse(mfaEnforcedFrom ?? '')).toBe(Date.parse(updatedAt) + 86_400_000);
    await ada.client.ok(listLeads);
    await strict.admin.ok(updateAccount, { params, body: { mfa: { policy: 'required', graceDays: 0 } } });
    expect((await ada.client.call(listLeads)).body).toMatchObject({ error: 'factor_required', status: 403 });
    await strict.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
    await addFactor(ada.client);
    await ada.client.ok(listLeads);
    expect((await strict.admin.call(readAccount, { params })).body).toMatchObject({
      error: 'factor_required',
    });
    await strict.admin.ok(logOut, {});
  });

  test('stays in effect if the same or longer days of grace are sent again', async () => {
    const strict = await tenant();
    const boss = await member(strict);
    await strict.admin.ok(updateUser, { params: { email: boss.user.email }, body: { accountAdmin: true } });
    const { factorId } = await addFactor(boss.client);
    const params = { id: strict.accountId };
    const set = (graceDays: number) =>
      boss.client.ok(updateAccount, { params, body: { mfa: { policy: 'required', graceDays } } });
    const { mfaEnforcedFrom } = await set(1);
    expect(await set(1)).toMatchObject({ mfaEnforcedFrom });
    clock.advance(3_600_000);
    await provesAgain(boss.client);
    const earlier = await set(0);
    expect(await set(90)).toMatchObject({ mfaEnforcedFrom: earlier.mfaEnforcedFrom });
    // Without the last factor, the session has proved none.
    await boss.client.ok(deleteFactor, { params: { factorId } });
    expect((await boss.client.call(readAccount, { params })).body).toMatchObject({
      error: 'factor_required',
    });
  });

  test.each([
    ['required', 'no factor', 'factor_required'],
    ['phishingResistant', 'a code', 'passkey_required'],
  ] as const)(
    'with the policy %s, rejects every route for a session that has proved %s, except those to add a factor',
    async (policy, proved, error) => {
      const strict = await tenant();
      const ada = await member(strict);
      if (proved === 'a code') await addFactor(ada.client);
      const body = { mfa: { policy } };
      await strict.admin.ok(updateAccount, { params: { id: strict.accountId }, body });
      const open: string[] = [];
      for (const { endpoint } of await loadEndpoints()) {
        const { method, path, access } = endpoint.contract;
        if (access === 'public') continue;
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '1'] as const);
        const own = { email: ada.user.email, accountId: strict.accountId };
        const { body: answer } = await ada.client.call(endpoint, {
          params: { ...Object.fromEntries(names), ...(path.endsWith('/membership') && own) },
          query: { dryRun: true },
        });
        if (Object(answer).error !== error) open.push(`${method} ${path}`);
      }
      expect(open.sort()).toEqual([
        'DELETE /auth/factors/{factorId}',
        'GET /accounts',
        'GET /auth/factors',
        'GET /auth/session',
        'GET /event-kinds',
        'POST /auth/factors',
        'POST /auth/factors/{factorId}/confirm',
        'POST /auth/logout',
        'POST /auth/logout-all',
        'POST /auth/password',
        'POST /auth/recovery-codes',
        'POST /auth/step-up',
      ]);
    },
  );

  test('accepts an impersonation only if the administrator’s session has a factor', async () => {
    const strict = await tenant();
    const [boss, ada] = [await member(strict), await member(strict, ['readLeads'])];
    const params = { id: strict.accountId };
    await strict.admin.ok(updateUser, { params: { email: boss.user.email }, body: { accountAdmin: true } });
    const act = async () => {
      const body = { reason: 'A question about leads' };
      const { token } = await boss.client.ok(impersonateUser, { params: { email: ada.user.email }, body });
      return client({ authorization: `Bearer ${token}`, 'x-account-id': strict.accountId });
    };
    const before = await act();
    await before.ok(listLeads);
    await boss.client.ok(updateAccount, { params, body: { mfa: { policy: 'required' } } });
    expect((await before.call(listLeads)).body).toMatchObject({ error: 'factor_required' });
    await addFactor(boss.client);
    await (await act()).ok(listLeads);
  });
});
