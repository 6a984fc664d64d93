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

/**
 * An If-Match is held against the version that the GET of what is changed showed, whatever is written. A list shows no
 * version of its own.
 */
const all = await loadEndpoints();
const owner = await tenant();
const isList = ({ contract: { response } }: Endpoint): boolean =>
  'totalPages' in ((response as { properties?: object }).properties ?? {});
const showing = all
  .map(({ endpoint }) => endpoint)
  .filter((endpoint) => endpoint.contract.method === 'GET' && !isList(endpoint));
const reading = showing.filter(({ contract }) => contract.path.endsWith('}'));

/** The GET of what an endpoint changes: of its own path, or else of the record that the path begins with. */
const readerOf = ({ contract: { path } }: Endpoint): Endpoint | undefined =>
  showing.find((one) => one.contract.path === path) ??
  reading.find(({ contract }) => path.startsWith(contract.path));

/** Routes below a record that change something else, of which there is no GET. */
const somethingElse = new Set(['POST /users/{email}/accounts', 'POST /applications/{applicationId}/notes']);
/** Of what carries no version: nobody changes it but the service. */
const unversioned = new Set(['POST /webhooks/{id}/deliveries/{did}/redeliver']);
/**
 * Of what lies beside a record too, whose version a list shows: test/http/document-endpoints.test.ts and
 * test/merchants/children.test.ts try it.
 */
const isBeside = (route: string): boolean =>
  route.includes('/documents') || route.includes('/merchants/{merchantId}/');

const changing = all.flatMap(({ endpoint }) => {
  const reader = readerOf(endpoint);
  if (!changes(endpoint.contract) || !reader || !endpoint.contract.path.includes('{')) return [];
  const route = nameOf(endpoint.contract);
  return somethingElse.has(route) || unversioned.has(route) || isBeside(route)
    ? []
    : [{ route, endpoint, reader }];
});

test('there are routes to try with If-Match', () => expect(changing.length).toBeGreaterThan(20));

test.each(changing)(
  'the fresh ETag of its GET is taken, and another one is 412: $route',
  async ({ endpoint, reader }) => {
    const { headers, ...sent } = await happyPath(endpoint, all, owner);
    const named = Object.entries(sent.params ?? {}).filter(([name]) =>
      reader.contract.path.includes(`{${name}}`),
    );
    const { headers: shown } = await owner.admin.call(reader, { params: Object.fromEntries(named) });
    expect(shown.etag).toMatch(/^"\d+"$/);
    const principal = client(headers ?? {});
    const stale = await principal.call(endpoint, { ...sent, headers: { 'if-match': '"99999"' } });
    expect([stale.status, stale.body.error]).toEqual([412, 'version_mismatch']);
    const fresh = await principal.call(endpoint, { ...sent, headers: { 'if-match': shown.etag ?? '' } });
    expectHappy(endpoint, fresh);
  },
);

describe('a user whose own version is another than that of its membership', async () => {
  const { user } = await member(owner);
  const params = { email: user.email };
  const etagOf = async (reader: Endpoint) => (await owner.admin.call(reader, { params })).headers.etag ?? '';
  const put = (endpoint: Endpoint, body: unknown, etag: string) =>
    owner.admin.call(endpoint, { params, body, headers: { 'if-match': etag } });
  const password = 'set by the administrator';

  test('a user whose own version is another than that of its membership is changed with the ETag of the GET that belongs to it, and not with the other', async () => {
    const [ofUser, ofPreferences] = [await etagOf(readUser), await etagOf(readPreferences)];
    expect(ofUser).not.toBe(ofPreferences);
    expect((await put(setPreferences, [], ofUser)).status).toBe(412);
    expect((await put(forceUserPassword, { password }, ofPreferences)).status).toBe(412);
    expect((await put(forceUserPassword, { password }, ofUser)).status).toBe(200);
    const rule = { event: 'lead_created', deliveryPref: [] };
    expect((await put(setPreferences, [rule], await etagOf(readPreferences))).status).toBe(200);
  });

  test('a user whose own version is another than that of its membership gets no password from a caller whom the membership has changed on', async () => {
    const etag = await etagOf(readUser);
    beforeNextTransaction(() => owner.admin.ok(updateUser, { params, body: { accountAdmin: true } }));
    expect((await put(forceUserPassword, { password }, etag)).status).toBe(412);
  });

  test('a user whose own version is another than that of its membership changes its password whatever version it names, for no GET shows one', async () => {
    const { client: theirs } = await member(owner);
    await theirs.ok(changePassword, {
      body: { currentPassword: memberPassword, newPassword: password },
      headers: { 'if-match': '"99"' },
    });
  });
});

test('a role is made whatever version a caller names: there is none yet', async () => {
  for (const name of ['First', 'Second']) {
    const { status, body } = await owner.admin.call(createRole, {
      body: { name, flatPermissionsList: [] },
      headers: { 'if-match': '"1"' },
    });
    expect([status, body.version]).toEqual([201, 1]);
  }
});
