import { expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import logOut from '../../functions/auth/log-out.ts';
import readSession from '../../functions/auth/read-session.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import impersonateUser from '../../functions/users/impersonate-user.ts';
import readPreferences from '../../functions/users/read-notification-preferences.ts';
import readUser from '../../functions/users/read-user.ts';
import setPreferences from '../../functions/users/set-notification-preferences.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { changes } from '../../shared/endpoints/contract.ts';
import { impersonationRuleOf } from '../../shared/endpoints/impersonation-rule.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import type { ErrorBody } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { canaries, filledApplication } from '../harness/filled-application.ts';
import { filledMerchant, merchantCanaries } from '../harness/filled-merchant.ts';
import { routesEvery } from '../harness/heavy.ts';
import { joins, member } from '../harness/member.ts';
import { client, tenant } from '../harness/tenant.ts';
import { actingAs, reason } from './acting-as.ts';

const acme = await tenant();
const other = await tenant();
const endpoints = (await loadEndpoints())
  .map(({ endpoint }) => endpoint)
  .filter(({ contract }) => contract.access !== 'public');
const person = await member(acme, [...allPermissions]);
const { email } = person.user;

test('the rule of every endpoint is the listed one', async () => {
  const lines = endpoints.map(({ contract }) => {
    const rule = impersonationRuleOf(contract);
    return `${rule.padEnd(6)} ${contract.method.padEnd(6)} ${contract.path}`;
  });
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('rules.txt');
});

test('endpoints apply their rule to read-only and writing sessions of a user with all permissions', async () => {
  const reading = await actingAs(acme, email);
  const writing = await actingAs(acme, email, { write: true });
  const called = endpoints.filter((one, n) => n % routesEvery === 0 && one !== logOut);
  expect(new Set(called.map(({ contract }) => impersonationRuleOf(contract)))).toEqual(
    new Set(endpoints.map(({ contract }) => impersonationRuleOf(contract))),
  );
  const found: string[] = [];
  const expected: string[] = [];
  for (const endpoint of called) {
    const { method, path } = endpoint.contract;
    const rule = impersonationRuleOf(endpoint.contract);
    const denied = rule === 'never' ? 'not_while_impersonating' : 'allowed';
    const readOnly = rule === 'write' ? 'impersonation_read_only' : denied;
    expected.push(`${method} ${path}: ${readOnly}, ${denied}`);
    const outcomes: string[] = [];
    for (const session of [reading, writing]) {
      const { body } = await session.call(endpoint, { rawBody: '{"nonsense":' });
      const { error } = (body ?? {}) as Partial<ErrorBody>;
      expect(error, `${method} ${path}`).not.toBe('permission_denied');
      outcomes.push(error && /imperson/.test(error) ? error : 'allowed');
    }
    found.push(`${method} ${path}: ${outcomes.join(', ')}`);
  }
  expect(found).toEqual(expected);
});

test('neither the session nor the token of an impersonation shows another account of the user', async () => {
  const shared = await member(other, [...allPermissions]);
  await joins(shared, acme, { roles: [] });
  const third = await tenant();
  await third.admin.ok(addUserToAccount, { params: { email: shared.user.email } });
  clock.advance(1_000);
  await third.admin.ok(deleteUser, { params: { email: shared.user.email } });
  const { createdAt, updatedAt } = await acme.admin.ok(readUser, { params: { email: shared.user.email } });
  const { token, ...begun } = await acme.admin.ok(impersonateUser, {
    params: { email: shared.user.email },
    body: { reason },
  });
  const session = client({ 'x-account-id': acme.accountId, authorization: `Bearer ${token}` });
  const { token: _, ...read } = await session.ok(readSession);
  expect(read).toEqual(begun);
  expect(read).toMatchObject({
    createdBy: acme.adminEmail,
    updatedBy: shared.user.email,
    createdAt,
    updatedAt,
  });
  const [, payload = ''] = token.split('.');
  const claims = Buffer.from(payload, 'base64url').toString();
  const foreign = [other, third].flatMap(({ accountId, adminEmail }) => [accountId, adminEmail]);
  for (const text of [claims, JSON.stringify(read)])
    for (const name of foreign) expect(text).not.toContain(name);
});

test('no endpoint accepts a session whose x-account-id is another account of the user', async () => {
  const shared = await member(acme, [...allPermissions]);
  await joins(shared, other, { accountAdmin: true });
  const session = await actingAs(acme, shared.user.email, { write: true });
  const called = endpoints.filter(
    ({ contract }, n) => contract.access === 'session' || n % routesEvery === 0,
  );
  for (const endpoint of called) {
    const { method, path } = endpoint.contract;
    const { body } = await session.call(endpoint, {
      rawBody: '{"nonsense":',
      headers: { 'x-account-id': other.accountId },
    });
    expect((body as Partial<ErrorBody>).error, `${method} ${path}`).toBe('account_forbidden');
  }
});

test('no change of access, keys, secrets, settings or automatic rules is allowed', () => {
  const areas =
    /^\/(accounts|apikeys|auth|extapi|integrations|roles|teams|underwriting-rules|users|webhooks)(\/|$)/;
  const allowed = endpoints
    .filter(({ contract }) => areas.test(contract.path) && changes(contract))
    .filter(({ contract }) => impersonationRuleOf(contract) !== 'never')
    .map(({ contract: { method, path } }) => `${method} ${path}`);
  expect(allowed).toEqual(['POST /auth/logout']);
});

test.each([false, true])(
  'no sensitive value is shown to an impersonated session (write: %s)',
  async (write) => {
    const { id } = await acme.admin.ok(createApplication, { body: filledApplication });
    const merchant = await acme.admin.ok(createMerchant, { body: filledMerchant });
    const session = await actingAs(acme, email, { write });
    for (const query of [{}, { reveal: true }]) {
      const shown = await session.ok(readApplication, { params: { applicationId: id }, query });
      expect(shown.system).not.toHaveProperty('appKey');
      for (const canary of Object.values(canaries)) expect(JSON.stringify(shown)).not.toContain(canary);
    }
    const sent = { params: { merchantId: merchant.id } };
    const shown = JSON.stringify(await session.ok(readMerchant, sent));
    for (const canary of Object.values(merchantCanaries)) expect(shown).not.toContain(canary);
    const revealed = await session.call(readMerchant, { ...sent, query: { reveal: true } });
    expect(revealed).toMatchObject({ status: 403, body: { error: 'not_while_impersonating' } });
    const own = await person.client.ok(readMerchant, { ...sent, query: { reveal: true } });
    expect(JSON.stringify(own)).toContain(Object.values(merchantCanaries)[0]);
  },
);

test('an impersonated session sees neither other accounts of the user nor personal default rules', async () => {
  const shared = await member(acme, [...allPermissions]);
  const params = { email: shared.user.email };
  await shared.client.ok(setPreferences, {
    params,
    body: [
      { event: 'lead_created', deliveryPref: ['sms'] },
      { event: 'lead_created', accountId: acme.accountId, deliveryPref: ['email'] },
    ],
  });
  await joins(shared, other);
  const session = await actingAs(acme, shared.user.email, { write: true });
  const { accounts, notificationPreferences } = await session.ok(readUser, { params });
  expect(accounts.map(({ accountId }) => accountId)).toEqual([acme.accountId]);
  expect(Object.keys(notificationPreferences)).toEqual([acme.accountId]);
  const { data } = await session.ok(readPreferences, { params });
  expect(data.map(({ accountId }) => accountId)).toEqual([acme.accountId]);
});
