import { describe, expect, test } from 'vitest';
import changePassword from '../../functions/auth/change-password.ts';
import createRole from '../../functions/roles/create-role.ts';
import forceUserPassword from '../../functions/users/force-user-password.ts';
import readPreferences from '../../functions/users/read-notification-preferences.ts';
import readUser from '../../functions/users/read-user.ts';
import setPreferences from '../../functions/users/set-notification-preferences.ts';
import updateUser from '../../functions/users/update-user.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { changes } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { member, memberPassword } from '../harness/member.ts';
import { client, tenant } from '../harness/tenant.ts';
import { expectHappy, happyPath } from './happy-paths.ts';
import { nameOf } from './records.ts';

/** If-Match is compared with the version that the GET of the changed record returns. A list has no version. */
const all = await loadEndpoints();
const owner = await tenant();
const isList = ({ contract: { response } }: Endpoint): boolean =>
  'totalPages' in ((response as { properties?: object }).properties ?? {});
const showing = all
  .map(({ endpoint }) => endpoint)
  .filter((endpoint) => endpoint.contract.method === 'GET' && !isList(endpoint));
const reading = showing.filter(({ contract }) => contract.path.endsWith('}'));

/**
 * Returns the GET endpoint of the changed record. Its path equals the path of the given endpoint or is the
 * beginning of it.
 */
const readerOf = ({ contract: { path } }: Endpoint): Endpoint | undefined =>
  showing.find((one) => one.contract.path === path) ??
  // The account's own GET returns no child account.
  showing.find(
    ({ contract }) =>
      /^\/accounts\/\{id\}\/(move|permissions|type)/.test(path) && contract.path.endsWith('/report'),
  ) ??
  reading.find(({ contract }) => path.startsWith(contract.path));

/**
 * Routes whose path begins with the path of a record, but which change other data. No GET returns this data.
 */
const somethingElse = new Set([
  'POST /users/{email}/accounts',
  'POST /users/{email}/impersonation',
  'POST /applications/{applicationId}/notes',
]);
/**
 * Routes that change records without a version. A delivery and an uploaded bank statement have no version, because only
 * the service writes their fields.
 */
const unversioned = new Set([
  'POST /webhooks/{id}/deliveries/{did}/redeliver',
  'POST /billing/bank-statements/{id}/complete',
]);
/**
 * Reports whether a route changes child records. Only lists return the versions of child records.
 * test/http/document-endpoints.test.ts and test/merchants/children.test.ts test these routes.
 */
const isChildRoute = (route: string): boolean =>
  route.includes('/documents') || route.includes('/merchants/{merchantId}/');

const changing = all.flatMap(({ endpoint }) => {
  const reader = readerOf(endpoint);
  if (!changes(endpoint.contract) || !reader || !endpoint.contract.path.includes('{')) return [];
  const route = nameOf(endpoint.contract);
  return somethingElse.has(route) || unversioned.has(route) || isChildRoute(route)
    ? []
    : [{ route, endpoint, reader }];
});

test('some routes are tested with If-Match', () => expect(changing.length).toBeGreaterThan(20));

test.each(changing)(
  'the current ETag of GET is accepted, and another ETag is rejected with 412: $route',
  async ({ endpoint, reader }) => {
    const { headers, ...sent } = await happyPath(endpoint, owner);
    const named = Object.entries(sent.params ?? {}).filter(([name]) =>
      reader.contract.path.includes(`{${name}}`),
    );
    const principal = client(headers ?? {});
    const reading = endpoint.contract.path.startsWith('/accounts/') ? principal : owner.admin;
    const { headers: shown } = await reading.call(reader, { params: Object.fromEntries(named) });
    expect(shown.etag).toMatch(/^"\d+"$/);
    const stale = await principal.call(endpoint, { ...sent, headers: { 'if-match': '"99999"' } });
    expect([stale.status, stale.body.error]).toEqual([412, 'version_mismatch']);
    const fresh = await principal.call(endpoint, { ...sent, headers: { 'if-match': shown.etag ?? '' } });
    expectHappy(endpoint, fresh);
  },
);

describe('a user whose version differs from the version of its membership', async () => {
  const { user } = await member(owner);
  const params = { email: user.email };
  const etagOf = async (reader: Endpoint) => (await owner.admin.call(reader, { params })).headers.etag ?? '';
  const put = (endpoint: Endpoint, body: unknown, etag: string) =>
    owner.admin.call(endpoint, { params, body, headers: { 'if-match': etag } });
  const password = 'set by the administrator';
  await owner.admin.ok(setPreferences, {
    params,
    body: [{ event: 'lead_created', deliveryPref: ['email'] }],
  });

  test('each change of a user accepts only the ETag of the corresponding GET', async () => {
    const [ofUser, ofPreferences] = [await etagOf(readUser), await etagOf(readPreferences)];
    expect(ofUser).not.toBe(ofPreferences);
    expect((await put(setPreferences, [], ofUser)).status).toBe(412);
    expect((await put(forceUserPassword, { password }, ofPreferences)).status).toBe(412);
    expect((await put(forceUserPassword, { password }, ofUser)).status).toBe(200);
    const rule = { event: 'lead_created', deliveryPref: [] };
    expect((await put(setPreferences, [rule], await etagOf(readPreferences))).status).toBe(200);
  });

  test('a user’s password is not set if the membership has changed', async () => {
    const etag = await etagOf(readUser);
    beforeNextTransaction(() => owner.admin.ok(updateUser, { params, body: { accountAdmin: true } }));
    expect((await put(forceUserPassword, { password }, etag)).status).toBe(412);
  });

  test('a password change accepts any If-Match value, because no GET returns the password’s version', async () => {
    const { client: theirs } = await member(owner);
    await theirs.ok(changePassword, {
      body: { currentPassword: memberPassword, newPassword: password },
      headers: { 'if-match': '"99"' },
    });
  });
});

test('a role is created with any If-Match, because it has no version yet', async () => {
  for (const name of ['First', 'Second']) {
    const { status, body } = await owner.admin.call(createRole, {
      body: { name, flatPermissionsList: [] },
      headers: { 'if-match': '"1"' },
    });
    expect([status, body.version]).toEqual([201, 1]);
  }
});
