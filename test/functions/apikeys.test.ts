import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import deleteApiKey from '../../functions/apikeys/delete-api-key.ts';
import listApiKeys from '../../functions/apikeys/list-api-keys.ts';
import setApiKeyPermissions from '../../functions/apikeys/set-api-key-permissions.ts';
import updateApiKey from '../../functions/apikeys/update-api-key.ts';
import listEvents from '../../functions/events/list-events.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import { hashSecret } from '../../shared/security/key-secrets.ts';
import { tableName } from '../../shared/table/client.ts';
import { quotaKey } from '../../shared/table/keys.ts';
import { logged } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { documents } from '../harness/documents.ts';
import { newStreamRecords } from '../harness/drain.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { client, signIn, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const create = (fields: object = {}) =>
  acme.admin.ok(createApiKey, { body: { description: 'Nightly import', ...fields } });
const byId = ({ id }: { id: number }) => ({ params: { id: String(id) } });
const tomorrow = () => new Date(clock.now().getTime() + 86_400_000).toISOString();
const directly = (key: { apiKey: string; apiSecret: string }) =>
  client({ 'x-api-key': key.apiKey, 'x-api-secret': key.apiSecret });

afterEach(clock.reset);

describe('POST /apikeys', () => {
  test('POST /apikeys responds with the secret and every field of the key', async () => {
    const expiresAt = tomorrow();
    const key = await create({ expiresAt, flatPermissionsList: ['writeLeads', 'readLeads', 'readLeads'] });
    expect(key).toEqual({
      id: expect.any(Number),
      accountId: acme.accountId,
      description: 'Nightly import',
      apiKey: expect.stringMatching(new RegExp(`^mo_key_${acme.accountId}_[0-9A-Za-z]{22}$`)),
      apiSecret: expect.stringMatching(/^mo_sk_[0-9A-Za-z]{49}$/),
      lastFourOfSecret: key.apiSecret.slice(-4),
      expiresAt,
      permissions: [
        { name: 'readLeads', description: expect.any(String) },
        { name: 'writeLeads', description: expect.any(String) },
      ],
      version: 1,
      createdBy: acme.adminEmail,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('a key never expires if its expiresAt is omitted, null or empty', async () => {
    for (const fields of [{}, { expiresAt: null }, { expiresAt: '' }])
      expect((await create(fields)).expiresAt).toBeNull();
  });

  test('a date as expiresAt means the end of that day in the account’s time zone', async () => {
    const owner = await tenant();
    const expiryIn = async (timezone: string, expiresAt: string) => {
      await owner.admin.ok(updateAccount, { params: { id: owner.accountId }, body: { timezone } });
      const key = await owner.admin.ok(createApiKey, { body: { description: 'x', expiresAt } });
      const changed = await owner.admin.ok(updateApiKey, { ...byId(key), body: { expiresAt } });
      expect(changed.expiresAt).toBe(key.expiresAt);
      return key.expiresAt;
    };
    expect(await expiryIn('UTC', '2098-12-31')).toBe('2098-12-31T23:59:59.999Z');
    expect(await expiryIn('America/New_York', '2098-12-31')).toBe('2099-01-01T04:59:59.999Z');
    expect(await expiryIn('Pacific/Kiritimati', '2098-12-31')).toBe('2098-12-31T09:59:59.999Z');
    // The clocks go forward on this day at midnight, so the next day begins at 01:00.
    expect(await expiryIn('Africa/Cairo', '2027-04-29')).toBe('2027-04-29T21:59:59.999Z');
    expect(await expiryIn('America/New_York', '9999-12-31')).toBe('9999-12-31T23:59:59.999Z');
    expect(await expiryIn('America/New_York', '2098-12-31T00:00:00Z')).toBe('2098-12-31T00:00:00.000Z');
  });

  test('an expiresAt of today is valid until the end of the day', async () => {
    expect((await create({ expiresAt: clock.now().toISOString().slice(0, 10) })).expiresAt).toMatch(
      /T23:59:59\.999Z$/,
    );
  });

  test('POST /apikeys refuses an expiresAt that is invalid or in the past', async () => {
    for (const expiresAt of [
      'soon',
      '2020-01-01T00:00:00Z',
      '2099-02-30T00:00:00Z',
      '2099-06-30T23:59:60Z',
      '2099-02-30',
      '2020-01-01',
      clock.now().toISOString(),
    ]) {
      const { status, body } = await acme.admin.call(createApiKey, { body: { description: 'x', expiresAt } });
      expect({ status, field: body.details?.[0]?.field }).toEqual({ status: 400, field: 'expiresAt' });
    }
  });

  test('an API key can create only keys without permissions', async () => {
    const body = { description: 'Child', flatPermissionsList: ['readLeads'] };
    for (const principal of [acme.key, acme.directKey]) {
      expect((await principal.call(createApiKey, { body })).body).toMatchObject({
        status: 403,
        error: 'administrator_only',
      });
      expect((await principal.ok(createApiKey, { body: { description: 'Child' } })).permissions).toEqual([]);
    }
  });

  test('POST /apikeys reports each unknown permission', async () => {
    const body = { description: 'x', flatPermissionsList: ['readLeads', 'readEverything'] };
    const refused = await acme.admin.call(createApiKey, { body });
    expect(refused.body).toMatchObject({ status: 400, error: 'permission_unknown' });
    expect(refused.body.details?.map(({ message }) => message)).toEqual([
      'readEverything is not a permission',
    ]);
  });
});

test('a secret is shown only once, and no item, stream record, event or log line contains the secret', async () => {
  const headers = { 'idempotency-key': 'shown-once' };
  const body = { description: 'Canary' };
  const { apiSecret, ...key } = await acme.admin.ok(createApiKey, { headers, body });
  const id = byId(key);
  await directly({ apiKey: key.apiKey, apiSecret }).call(listTeams);
  await signIn({ apiKey: key.apiKey, apiSecret });
  const responses = [
    await acme.admin.call(createApiKey, { headers, body }),
    await acme.admin.call(listApiKeys, { query: { pageSize: 100 } }),
    await acme.admin.call(updateApiKey, { ...id, body: { description: 'Canary too' } }),
    await acme.admin.call(setApiKeyPermissions, { ...id, body: { flatPermissionsList: ['readTeams'] } }),
    await acme.admin.call(listEvents, { query: { pageSize: 100 } }),
    await acme.admin.call(deleteApiKey, id),
  ];
  expect(responses[0]?.headers['idempotency-replayed']).toBe('true');
  expect(responses.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200]);
  const everything = JSON.stringify([responses, await scanTable(), await newStreamRecords(), logged]);
  expect(everything).toContain(key.apiKey);
  expect(everything).not.toContain(apiSecret);
  expect(everything).not.toContain(apiSecret.slice('mo_sk_'.length, 30));
  const shown = JSON.stringify([responses, await storedEvents(acme.accountId), logged]);
  expect(shown).not.toContain(hashSecret(apiSecret));
});

test('GET /apikeys lists the newest keys first, with the totals in headers', async () => {
  const { admin } = await tenant();
  for (const description of ['one', 'two', 'three']) await admin.ok(createApiKey, { body: { description } });
  const page = await admin.call(listApiKeys, { query: { pageSize: 3, page: 1 } });
  expect(page.body.map(({ description }: { description: string }) => description)).toEqual([
    'three',
    'two',
    'one',
  ]);
  expect(page.headers).toMatchObject({ 'x-total-count': '4', 'x-total-pages': '2', 'x-current-page': '1' });
  const found = await admin.ok(listApiKeys, { query: { search: 'TWO' } });
  expect(found).toHaveLength(1);
  const sorted = await admin.ok(listApiKeys, { query: { sort: 'description' } });
  expect(sorted.map(({ description }: { description: string }) => description)).toEqual([
    'First key',
    'one',
    'three',
    'two',
  ]);
});

test('PATCH /apikeys/{id} changes description and expiresAt, clears expiresAt with null, and keeps omitted fields', async () => {
  const key = await create();
  const expiresAt = tomorrow();
  const changed = await acme.key.ok(updateApiKey, { ...byId(key), body: { description: 'B', expiresAt } });
  expect(changed).toMatchObject({ description: 'B', expiresAt, version: 2, updatedBy: acme.apiKey });
  const cleared = await acme.key.ok(updateApiKey, { ...byId(key), body: { expiresAt: null } });
  expect(cleared).toMatchObject({ description: 'B', expiresAt: null, version: 3 });
});

test('DELETE /apikeys/{id} returns the deleted key, and returns 404 for a key that is already deleted', async () => {
  const { apiSecret, ...key } = await create();
  expect(await acme.admin.ok(deleteApiKey, byId(key))).toEqual(key);
  expect((await acme.admin.call(deleteApiKey, byId(key))).status).toBe(404);
});

describe('PATCH /apikeys/{id}/permissions', () => {
  test('PATCH /apikeys/{id}/permissions returns a message and takes effect at the next request', async () => {
    const key = await create({ flatPermissionsList: ['readTeams'] });
    const callers = [directly(key), client({ authorization: await signIn(secretsOf(key)) })];
    const seen = async () =>
      Promise.all(callers.map(async (principal) => (await principal.call(listTeams)).status));
    expect(await seen()).toEqual([200, 200]);
    for (const [flatPermissionsList, status] of [
      [[], 403],
      [['readLeads', 'writeTeams'], 403],
      [['readTeams'], 200],
    ] as const) {
      const body = { flatPermissionsList: [...flatPermissionsList] };
      const response = await acme.admin.ok(setApiKeyPermissions, { ...byId(key), body });
      expect(response).toEqual({ message: expect.stringContaining(key.apiKey) });
      expect(await seen()).toEqual([status, status]);
    }
  });

  test('PATCH /apikeys/{id}/permissions refuses a missing list, a value that is not an array, and unknown permissions', async () => {
    const key = await create();
    const wrong = [{}, { flatPermissionsList: null }, { flatPermissionsList: 'readLeads' }];
    const items = [[1], [null], [['readLeads']], [{ name: 'readLeads' }], ['readleads'], ['']];
    for (const body of [...wrong, ...items.map((list) => ({ flatPermissionsList: list }))]) {
      const response = await acme.admin.call(setApiKeyPermissions, { ...byId(key), body: body as never });
      expect(response.status, JSON.stringify(body)).toBe(400);
    }
  });

  test('PATCH /apikeys/{id}/permissions is refused for every key and every session of a key', async () => {
    const key = await create({ flatPermissionsList: [...allPermissions] });
    const body = { flatPermissionsList: [...allPermissions] };
    for (const principal of [directly(key), client({ authorization: await signIn(secretsOf(key)) })]) {
      const response = await principal.call(setApiKeyPermissions, { ...byId(key), body });
      expect(response.body).toMatchObject({ status: 403, error: 'administrator_only' });
    }
  });
});

test('an account has at most 100 keys, and deleted keys do not count', async () => {
  const full = await tenant();
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: quotaKey(full.accountId, 'APIKEY'),
      UpdateExpression: 'SET #count = :count',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':count': 99 },
    }),
  );
  const body = { description: 'The hundredth' };
  const hundredth = await full.admin.ok(createApiKey, { body });
  const refused = await full.admin.call(createApiKey, { body });
  expect(refused.body).toMatchObject({ status: 400, error: 'quota_exceeded' });
  await full.admin.ok(deleteApiKey, byId(hundredth));
  await full.admin.ok(createApiKey, { body });
});

function secretsOf({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }) {
  return { apiKey, apiSecret };
}
