import { afterEach, describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import listApiKeys from '../../functions/apikeys/list-api-keys.ts';
import setApiKeyPermissions from '../../functions/apikeys/set-api-key-permissions.ts';
import createApplication from '../../functions/applications/create-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import rotateAppKey from '../../functions/applications/rotate-app-key.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import createFactor from '../../functions/auth/create-factor.ts';
import logIn from '../../functions/auth/log-in.ts';
import logOut from '../../functions/auth/log-out.ts';
import startPasskeyLogin from '../../functions/auth/start-passkey-login.ts';
import stepUp from '../../functions/auth/step-up.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import updateUser from '../../functions/users/update-user.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import { scanTable } from '../../infra/operations/scan-table.ts';
import type { NeededProof } from '../../shared/errors.ts';
import { apiKeyKey } from '../../shared/people/apikeys/keys.ts';
import { apiKeys } from '../../shared/people/apikeys/store.ts';
import { permissionCatalogue } from '../../shared/resources/derived.ts';
import { freshMilliseconds } from '../../shared/security/proofs.ts';
import { transact } from '../../shared/table/transact.ts';
import { applicant } from '../harness/applicant.ts';
import { logged } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { addFactor, addPasskey, codeOf, codePeriod } from '../harness/factors.ts';
import { canaries, filledApplication } from '../harness/filled-application.ts';
import { filledMerchant, merchantCanaries } from '../harness/filled-merchant.ts';
import { type Member, member, memberPassword } from '../harness/member.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { type Client, client, signIn, type Tenant, tenant } from '../harness/tenant.ts';
import { actingAs } from '../impersonation/acting-as.ts';

const acme = await tenant();
const [ssn = ''] = Object.values(merchantCanaries);
const merchant = await acme.admin.ok(createMerchant, { body: filledMerchant });
const other = await acme.admin.ok(createMerchant, { body: filledMerchant });

afterEach(clock.reset);

const reveals = (merchantId: number, headers?: Record<string, string>) => ({
  params: { merchantId },
  query: { reveal: true },
  headers,
});

/** A member who reads and changes merchants, with a session whose proof is older than ten minutes. */
async function staleMember(of: Tenant = acme): Promise<Member> {
  const ada = await member(of, ['readMerchants', 'writeMerchants', 'readApplications', 'writeApplications']);
  clock.advance(freshMilliseconds);
  return ada;
}

/** Reads the needed proof from the error of a request that reveals a merchant. */
async function neededToReveal(session: Client, merchantId = merchant.id): Promise<NeededProof> {
  const { status, body } = await session.call(readMerchant, reveals(merchantId));
  expect({ status, error: body.error }).toEqual({ status: 403, error: 'step_up_required' });
  return (body as unknown as { stepUp: NeededProof }).stepUp;
}

/** Returns the header with a single-use token for the needed proof. */
async function tokenFor(session: Client, { purpose, subject }: NeededProof, password = memberPassword) {
  const body = { purpose: purpose as 'reveal', subject, password };
  const { stepUpToken = '' } = await session.ok(stepUp, { body });
  return { 'x-step-up-token': stepUpToken };
}

const refused = { status: 403, body: { error: 'step_up_required' } };

describe('the proof of a session', () => {
  test('is the login for ten minutes, and then a password renews it', async () => {
    const ada = await member(acme, ['readMerchants', 'writeMerchants']);
    clock.advance(freshMilliseconds - 5_000);
    expect(JSON.stringify(await ada.client.ok(readMerchant, reveals(merchant.id)))).toContain(ssn);
    clock.advance(5_000);
    expect(await neededToReveal(ada.client)).toEqual({
      purpose: 'reveal',
      subject: { accountId: acme.accountId, id: String(merchant.id) },
      method: 'password',
    });
    // Everything that needs no proof still works.
    await ada.client.ok(readMerchant, { params: { merchantId: merchant.id } });
    const { expiresAt, ...rest } = await ada.client.ok(stepUp, { body: { password: memberPassword } });
    expect(rest).toEqual({});
    expect(Date.parse(expiresAt) - clock.now().getTime()).toBeGreaterThan(freshMilliseconds - 60_000);
    await ada.client.ok(readMerchant, reveals(merchant.id));
    clock.advance(freshMilliseconds);
    await neededToReveal(ada.client);
  });

  test('is renewed only for its own session', async () => {
    const ada = await member(acme, ['readMerchants', 'writeMerchants']);
    const credentials = { email: ada.user.email, password: memberPassword };
    const second = client({ ...ada.client.headers, authorization: await signIn(credentials) });
    clock.advance(freshMilliseconds);
    await ada.client.ok(stepUp, { body: { password: memberPassword } });
    await ada.client.ok(readMerchant, reveals(merchant.id));
    await neededToReveal(second);
  });

  test('needs a code of a user with a second factor, and counts wrong codes as a login does', async () => {
    const ada = await member(acme, ['readMerchants', 'writeMerchants']);
    const { secret, recoveryCodes } = await addFactor(ada.client);
    clock.advance(freshMilliseconds);
    expect(await neededToReveal(ada.client)).toMatchObject({ method: 'code' });
    const prove = (body: { password?: string; code?: string }) => ada.client.call(stepUp, { body });
    expect(await prove({ password: memberPassword })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'code' }] },
    });
    const wrong = String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0');
    for (let n = 0; n < 5; n++)
      expect(await prove({ code: wrong })).toMatchObject({ status: 401, body: { error: 'code_wrong' } });
    expect((await prove({ code: codeOf(secret) })).status).toBe(429);
    clock.advance(codePeriod);
    const code = codeOf(secret);
    expect((await prove({ code })).status).toBe(200);
    expect((await prove({ code })).body).toMatchObject({ error: 'code_wrong' });
    await ada.client.ok(readMerchant, reveals(merchant.id));
    expect((await prove({ code: recoveryCodes[0] })).status).toBe(200);
    expect((await prove({ code: recoveryCodes[0] })).status).toBe(401);
  });

  test('is a passkey of the user, with a challenge that works once', async () => {
    const ada = await member(acme, ['readMerchants', 'writeMerchants']);
    const { authenticator, recoveryCodes } = await addPasskey(ada.client);
    clock.advance(freshMilliseconds);
    expect(await neededToReveal(ada.client)).toMatchObject({ method: 'passkey' });
    const { challenge, publicKey } = await client({}).ok(startPasskeyLogin, {});
    const body = { challenge, credential: authenticator.use(publicKey) };
    const stranger = await member(acme, ['readMerchants', 'writeMerchants']);
    expect((await stranger.client.call(stepUp, { body })).body.error).toBe('passkey_rejected');
    await ada.client.ok(stepUp, { body });
    expect((await ada.client.call(stepUp, { body })).body.error).toBe('passkey_rejected');
    expect(JSON.stringify(await ada.client.ok(readMerchant, reveals(merchant.id)))).toContain(ssn);
    expect((await ada.client.call(stepUp, { body: { code: '123456' } })).body.error).toBe('invalid_input');
    await ada.client.ok(stepUp, { body: { code: recoveryCodes[0] } });
  });

  test('counts wrong passwords toward the limit of logins', async () => {
    const ada = await staleMember();
    const wrong = () => ada.client.call(stepUp, { body: { password: 'wrong' } });
    for (let n = 0; n < 6; n++)
      expect(await wrong()).toMatchObject({ status: 400, body: { error: 'password_wrong' } });
    const login = { body: { email: ada.user.email, password: 'wrong' } };
    for (let n = 0; n < 4; n++) expect((await client({}).call(logIn, login)).status).toBe(401);
    expect((await wrong()).status).toBe(429);
    expect((await ada.client.call(stepUp, { body: { password: memberPassword } })).status).toBe(429);
    expect((await client({}).call(logIn, login)).status).toBe(429);
    await neededToReveal(ada.client);
  });

  test('is recorded in an event without secrets', async () => {
    const ada = await staleMember();
    const headers = await tokenFor(ada.client, await neededToReveal(ada.client));
    await ada.client.ok(stepUp, { body: { password: memberPassword } });
    const detail = { userId: ada.user.id, email: ada.user.email };
    expect((await storedEvents(acme.accountId)).slice(-2)).toMatchObject([
      {
        kind: 'no_event_name',
        data: { happening: 'identity_proved', detail: { ...detail, purpose: 'reveal' } },
      },
      { kind: 'no_event_name', data: { happening: 'identity_proved', detail } },
    ]);
    await ada.client.ok(readMerchant, { ...reveals(merchant.id), headers });
    expect((await storedEvents(acme.accountId)).at(-1)).toMatchObject({
      kind: 'application_sensitive_data_revealed',
      request: { headers: { 'x-step-up-token': '[masked]' } },
    });
    const token = headers['x-step-up-token'];
    const stored: string[] = [];
    for await (const items of scanTable()) stored.push(JSON.stringify(items));
    for (const text of [...stored, ...logged]) expect(text.includes(token)).toBe(false);
  });

  test('is not given by an API key, a request without a secret, or a subject without a purpose', async () => {
    const ada = await staleMember();
    const { status, body } = await acme.key.call(stepUp, { body: { password: 'x' } });
    expect({ status, error: body.error }).toEqual({ status: 403, error: 'users_only' });
    const invalid = { status: 400, body: { error: 'invalid_input' } };
    expect(await ada.client.call(stepUp, { body: {} })).toMatchObject(invalid);
    const loose = { password: memberPassword, subject: { id: '1' } };
    expect(await ada.client.call(stepUp, { body: loose })).toMatchObject(invalid);
  });
});

describe('a single-use token', () => {
  test('works once, and leaves the proof of the session as it was', async () => {
    const ada = await staleMember();
    const needed = await neededToReveal(ada.client);
    const headers = await tokenFor(ada.client, needed);
    await neededToReveal(ada.client);
    expect(JSON.stringify(await ada.client.ok(readMerchant, reveals(merchant.id, headers)))).toContain(ssn);
    expect(await ada.client.call(readMerchant, reveals(merchant.id, headers))).toMatchObject(refused);
    await ada.client.ok(readMerchant, reveals(merchant.id, await tokenFor(ada.client, needed)));
  });

  test('works for one of two requests at once', async () => {
    const ada = await staleMember();
    const headers = await tokenFor(ada.client, await neededToReveal(ada.client));
    const both = await Promise.all(
      [1, 2].map(() => ada.client.call(readMerchant, reveals(merchant.id, headers))),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  test('is not used by a request that fails, or by a dry run', async () => {
    const ada = await member(acme, ['readWebhooks', 'writeWebhooks', 'readLeads']);
    clock.advance(freshMilliseconds);
    const body = { url: 'https://example.com/hook', events: ['lead_created' as const] };
    const { body: error } = await ada.client.call(createWebhook, { body });
    const headers = await tokenFor(ada.client, (error as unknown as { stepUp: NeededProof }).stepUp);
    const wrong = { ...body, events: ['user_created' as const] };
    expect((await ada.client.call(createWebhook, { body: wrong, headers })).body).toMatchObject({
      error: 'grant_exceeds_own',
    });
    await ada.client.dryRun(createWebhook, { body, headers });
    await ada.client.ok(createWebhook, { body, headers });
    expect(await ada.client.call(createWebhook, { body, headers })).toMatchObject(refused);
    expect(await ada.client.call(createWebhook, { body, headers, query: { dryRun: true } })).toMatchObject(
      refused,
    );
  });

  test('is repeated with the stored response of its Idempotency-Key', async () => {
    const ada = await member(acme, ['readWebhooks', 'writeWebhooks', 'readLeads']);
    clock.advance(freshMilliseconds);
    const body = { url: 'https://example.com/hook', events: ['lead_created' as const] };
    const { body: error } = await ada.client.call(createWebhook, { body });
    const token = await tokenFor(ada.client, (error as unknown as { stepUp: NeededProof }).stepUp);
    const headers = { ...token, 'idempotency-key': 'once' };
    const { id } = await ada.client.ok(createWebhook, { body, headers });
    expect(await ada.client.ok(createWebhook, { body, headers })).toMatchObject({ id, secret: 'REDACTED' });
  });

  test('is refused for another record, purpose, account, session or person', async () => {
    const ada = await staleMember();
    const needed = await neededToReveal(ada.client);
    const { subject } = needed;
    const sends = async (wrong: Partial<NeededProof>) =>
      ada.client.call(
        readMerchant,
        reveals(merchant.id, await tokenFor(ada.client, { ...needed, ...wrong })),
      );
    for (const wrong of [
      { subject: { ...subject, id: String(other.id) } },
      { subject: { accountId: 'acme', id: subject.id } },
      { subject: {} },
      { purpose: 'bank_data' },
    ])
      expect(await sends(wrong)).toMatchObject(refused);
    const headers = await tokenFor(ada.client, needed);
    const ben = await staleMember();
    const credentials = { email: ada.user.email, password: memberPassword };
    const second = client({ ...ada.client.headers, authorization: await signIn(credentials) });
    clock.advance(1_000);
    expect(await ben.client.call(readMerchant, reveals(merchant.id, headers))).toMatchObject(refused);
    // The other session is fresh for now.
    clock.advance(freshMilliseconds);
    const later = await tokenFor(ada.client, needed);
    expect(await second.call(readMerchant, reveals(merchant.id, later))).toMatchObject(refused);
    expect((await ada.client.call(readMerchant, reveals(merchant.id, later))).status).toBe(200);
  });

  test('expires after five minutes, ends with its session, and is neither forged nor a session', async () => {
    const ada = await staleMember();
    const needed = await neededToReveal(ada.client);
    const old = await tokenFor(ada.client, needed);
    clock.advance(5 * 60_000 + 1_000);
    expect(await ada.client.call(readMerchant, reveals(merchant.id, old))).toMatchObject(refused);
    const headers = await tokenFor(ada.client, needed);
    const token = headers['x-step-up-token'];
    const [head = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    // Neither the record nor the email of a user is in the token.
    expect(Object.keys(claims).sort()).toEqual([
      'aud',
      'exp',
      'iat',
      'iss',
      'jti',
      'purpose',
      'record',
      'sid',
      'sub',
    ]);
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const session = ada.client.headers.authorization?.replace('Bearer ', '') ?? '';
    for (const forged of [
      `${head}.${encoded({ ...claims, jti: 'other' })}.${signature}`,
      `${encoded({ alg: 'none', typ: 'step-up+jwt' })}.${payload}.`,
      session,
      'x',
    ])
      expect(
        await ada.client.call(readMerchant, reveals(merchant.id, { 'x-step-up-token': forged })),
      ).toMatchObject(refused);
    const asSession = client({ ...ada.client.headers, authorization: `Bearer ${token}` });
    expect((await asSession.call(readMerchant, { params: { merchantId: merchant.id } })).status).toBe(401);
    await ada.client.ok(logOut);
    expect((await ada.client.call(readMerchant, reveals(merchant.id, headers))).status).toBe(401);
  });
});

describe('an account that accepts only second factors as proofs', () => {
  test('rejects a fresh password, and accepts a code', async () => {
    const strict = await tenant();
    const params = { id: strict.accountId };
    const body = { proofNeedsFactor: true };
    expect(await strict.admin.ok(updateAccount, { params, body })).toMatchObject(body);
    const ada = await member(strict, ['readMerchants', 'writeMerchants']);
    const { id } = await ada.client.ok(createMerchant, { body: filledMerchant });
    expect(await ada.client.call(readMerchant, reveals(id))).toMatchObject({
      status: 403,
      body: { error: 'factor_required' },
    });
    await ada.client.ok(readMerchant, { params: { merchantId: id } });
    // A factor is the way out. It belongs to the person, so the password is enough for it.
    const { secret } = await addFactor(ada.client);
    await ada.client.ok(readMerchant, reveals(id));
    clock.advance(freshMilliseconds);
    await neededToReveal(ada.client, id);
    await ada.client.ok(stepUp, { body: { code: codeOf(secret) } });
    await ada.client.ok(readMerchant, reveals(id));
    await strict.key.ok(readMerchant, reveals(id));
  });

  test('is changed only with a fresh proof', async () => {
    const strict = await tenant();
    const params = { id: strict.accountId };
    clock.advance(freshMilliseconds);
    for (const body of [{ proofNeedsFactor: false }, { mfa: { policy: 'off' as const } }])
      expect(await strict.admin.call(updateAccount, { params, body })).toMatchObject(refused);
    await strict.admin.ok(updateAccount, { params, body: { name: 'Harbor' } });
  });
});

describe('requests that need the proof only sometimes', () => {
  test('an application shows REDACTED without a proof, unless the query asks for the values', async () => {
    const ada = await staleMember();
    const { id: applicationId } = await ada.client.ok(createApplication, { body: filledApplication });
    const params = { applicationId };
    const hides = (shown: object) => {
      for (const canary of Object.values(canaries)) expect(JSON.stringify(shown)).not.toContain(canary);
      expect(shown).not.toHaveProperty('system.appKey');
    };
    hides(await ada.client.ok(readApplication, { params }));
    hides(await ada.client.ok(updateApplication, { params, body: { basics: { dbaName: 'Pier' } } }));
    const asked = { params, query: { reveal: true } };
    expect(await ada.client.call(readApplication, asked)).toMatchObject(refused);
    expect(await ada.client.call(updateApplication, { ...asked, body: {} })).toMatchObject(refused);
    expect(await ada.client.call(submitApplication, asked)).toMatchObject(refused);
    expect(await ada.client.call(rotateAppKey, { params })).toMatchObject(refused);
    expect(await ada.client.call(readApplication, { ...asked, query: { reveal: false } })).toMatchObject({
      status: 200,
    });
    const subject = { accountId: acme.accountId, id: applicationId };
    const headers = await tokenFor(ada.client, { purpose: 'reveal', subject, method: 'password' });
    const shown = JSON.stringify(await ada.client.ok(readApplication, { params, headers }));
    for (const canary of Object.values(canaries)) expect(shown).toContain(canary);
    // The token is used, although the query did not ask for the values.
    hides(await ada.client.ok(readApplication, { params, headers }));
    await ada.client.ok(stepUp, { body: { password: memberPassword } });
    expect(JSON.stringify(await ada.client.ok(readApplication, { params }))).toContain(canaries.ssn);
  });

  test('bank data of a merchant changes only with a proof, and other fields without one', async () => {
    const ada = await staleMember();
    const params = { merchantId: merchant.id };
    const change = (body: object) => ada.client.call(updateMerchant, { params, body });
    for (const banking of [
      { accountNumber: '000111222333' },
      { accountNumber: null },
      { routingNumber: '021000021' },
    ])
      expect(await change({ banking })).toMatchObject({
        status: 403,
        body: { error: 'step_up_required', stepUp: { purpose: 'bank_data' } },
      });
    expect((await change({ banking: { bankName: 'Pier Bank', accountNumber: 'REDACTED' } })).status).toBe(
      200,
    );
    expect((await change({ dba: 'Pier Coffee' })).status).toBe(200);
    await ada.client.ok(stepUp, { body: { password: memberPassword } });
    expect((await change({ banking: { accountNumber: '000111222333' } })).status).toBe(200);
  });

  test('a user’s own profile changes without a proof, and rights only with one', async () => {
    const admin = await tenant();
    const ada = await member(admin, ['readUsers']);
    const params = { email: ada.user.email };
    clock.advance(freshMilliseconds);
    await ada.client.ok(updateUser, { params, body: { name: 'Ada' } });
    const promotes = { params, body: { accountAdmin: true } };
    expect(await admin.admin.call(updateUser, promotes)).toMatchObject({
      status: 403,
      body: { error: 'step_up_required', stepUp: { purpose: 'rights', subject: { id: params.email } } },
    });
    // The caller learns about permissions and invalid fields first.
    const ofAdmin = { params: { email: admin.adminEmail }, body: { accountAdmin: false } };
    expect((await ada.client.call(updateUser, ofAdmin)).body.error).toBe('permission_denied');
    expect(
      (await admin.admin.call(updateUser, { params, body: { accountAdmin: 'yes' } as never })).body.error,
    ).toBe('invalid_input');
  });

  test('the token of a person’s own endpoint names no account', async () => {
    const ada = await staleMember();
    const body = { type: 'totp' as const, name: 'Phone' };
    const { body: error } = await ada.client.call(createFactor, { body });
    const { stepUp: needed } = error as unknown as { stepUp: NeededProof };
    expect(needed).toEqual({ purpose: 'factors', subject: {}, method: 'password' });
    await ada.client.ok(createFactor, { body, headers: await tokenFor(ada.client, needed) });
  });
});

test('an applicant reads and changes the own application with the appKey alone', async () => {
  const { id: applicationId, system } = await acme.admin.ok(createApplication, { body: filledApplication });
  const ann = applicant({ acctId: acme.accountId, appKey: system.appKey ?? '' });
  const params = { applicationId };
  clock.advance(freshMilliseconds);
  const { id, system: shown } = await ann.ok(readApplication, { params, query: { reveal: true } });
  expect({ id, shown }).toMatchObject({ id: applicationId, shown: { appStatus: 'pending' } });
  await ann.ok(updateApplication, { params, body: { businessBanking: { bankAccount: '000111222333' } } });
});

test('an impersonation has the proof of the administrator’s session, who renews it in that session', async () => {
  const ada = await member(acme, ['readMerchants', 'writeMerchants']);
  const boss = await member(acme, []);
  await acme.admin.ok(updateUser, { params: { email: boss.user.email }, body: { accountAdmin: true } });
  const acting = await actingAs({ ...acme, admin: boss.client }, ada.user.email, { write: true });
  const body = { banking: { accountNumber: '000111222333' } };
  const change = () => acting.call(updateMerchant, { params: { merchantId: merchant.id }, body });
  expect((await change()).status).toBe(200);
  clock.advance(freshMilliseconds);
  expect(await change()).toMatchObject(refused);
  expect(await acting.call(stepUp, { body: { password: memberPassword } })).toMatchObject({
    status: 403,
    body: { error: 'not_while_impersonating' },
  });
  await boss.client.ok(stepUp, { body: { password: memberPassword } });
  expect((await change()).status).toBe(200);
});

describe('an API key', () => {
  const list = ['readApplications', 'readMerchants', 'writeMerchants', 'writeApplications'];

  const made = async (flatPermissionsList: string[]) => {
    const { apiSecret, ...key } = await acme.admin.ok(createApiKey, {
      body: { description: 'Import', flatPermissionsList },
    });
    return { key, client: client({ 'x-api-key': key.apiKey, 'x-api-secret': apiSecret }) };
  };
  const listed = async (id: number) => {
    const keys = await acme.admin.ok(listApiKeys);
    return keys.find((key) => key.id === id)?.permissions.map(({ name }) => name) ?? [];
  };

  test('shows sensitive values only with revealSensitive, and needs no other proof', async () => {
    const [with_, without] = [await made([...list, 'revealSensitive']), await made(list)];
    const { id: applicationId } = await without.client.ok(createApplication, { body: filledApplication });
    const params = { applicationId };
    expect(await without.client.call(readMerchant, reveals(merchant.id))).toMatchObject({
      status: 403,
      body: { error: 'permission_denied', message: expect.stringContaining('revealSensitive') },
    });
    await without.client.ok(rotateAppKey, { params });
    expect(JSON.stringify(await without.client.ok(readApplication, { params }))).not.toContain(canaries.ssn);
    const bank = { params: { merchantId: other.id }, body: { banking: { accountNumber: '000111222333' } } };
    await without.client.ok(updateMerchant, bank);
    clock.advance(freshMilliseconds);
    await with_.client.ok(readMerchant, reveals(merchant.id));
    expect(JSON.stringify(await with_.client.ok(readApplication, { params }))).toContain(canaries.ssn);
    expect(await listed(with_.key.id)).toContain('revealSensitive');
    expect(await listed(without.key.id)).not.toContain('revealSensitive');
  });

  test('that is older than the permission keeps showing them, until its permissions are set', async () => {
    const { key, client: old } = await made(list);
    const { statesReveal: _, ...stored } = await apiKeys.get(acme.accountId, key.id);
    const item = { ...apiKeyKey(acme.accountId, key.id), type: 'api_key', ...stored };
    await transact([{ operation: { Put: { Item: item } }, otherwise: 'conflict' }], Date.now() + 10_000);
    await old.ok(readMerchant, reveals(merchant.id));
    expect(await listed(key.id)).toContain('revealSensitive');
    const set = (flatPermissionsList: string[]) =>
      acme.admin.ok(setApiKeyPermissions, { params: { id: String(key.id) }, body: { flatPermissionsList } });
    await set(await listed(key.id));
    await old.ok(readMerchant, reveals(merchant.id));
    await set(list);
    expect((await old.call(readMerchant, reveals(merchant.id))).body.error).toBe('permission_denied');
    expect(await listed(key.id)).not.toContain('revealSensitive');
    expect(permissionCatalogue.map(({ name }) => name)).toContain('revealSensitive');
  });
});
