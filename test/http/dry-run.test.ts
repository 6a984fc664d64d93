import { describe, expect, test } from 'vitest';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import updateUser from '../../functions/users/update-user.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { changes, takesDryRun } from '../../shared/endpoints/contract.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ApiError } from '../../shared/errors.ts';
import { asRecordId, mintId } from '../../shared/id/mint.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { integer, object, optional, recordId, string } from '../../shared/schema.ts';
import type { Item } from '../../shared/table/item.ts';
import {
  addWithinQuota,
  deleteIfVersion,
  putIfAbsent,
  putIfVersion,
  type TransactItem,
} from '../../shared/table/operations.ts';
import { filledMerchant } from '../harness/filled-merchant.ts';
import { member } from '../harness/member.ts';
import { scanTable } from '../harness/raw-table.ts';
import { client, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const one = { pk: 'ACCOUNT#TEST#dry', sk: 'ONE' };
const two = { pk: 'ACCOUNT#TEST#dry', sk: 'TWO' };
const quota = { pk: 'ACCOUNT#TEST#dry', sk: 'QUOTA' };
let calls = { once: 0, decide: 0 };

const creation = {
  method: 'POST',
  path: '/things',
  permission: 'writeLeads',
  query: object({ again: optional(string()) }),
  body: object({ name: string() }),
  response: object({ id: recordId(), name: string(), taken: integer(), version: integer() }),
  emits: ['lead_created'],
  errors: ['already_member', 'quota_exceeded', 'team_required'],
  summary: 'Create a thing',
} as const;
/** Creates a record. The quota is one record. */
const create = endpoint({
  ...creation,
  decide: async ({ body, now, account, runOnce }) => {
    calls.decide += 1;
    if (body.name === 'nobody') throw new ApiError('team_required');
    const count = await runOnce(
      async () => ++calls.once,
      () => 7,
    );
    const id = mintId(now);
    const key = body.name === 'two' ? two : one;
    return {
      response: { id, name: body.name, taken: count, version: 1 },
      writes: [
        {
          ...putIfAbsent({ ...key, type: 'thing', version: 1 }, new ApiError('already_member')),
          change: { type: 'thing', id, action: 'created' },
        },
        addWithinQuota(quota, 1),
        { account, of: 'THING', amount: 1 },
      ],
      events: [
        {
          kind: 'lead_created',
          subject: { type: 'lead', id, version: 1 },
          data: { changes: { name: { to: body.name } } },
        },
      ],
    };
  },
});
const changing = {
  method: 'PATCH',
  path: '/things',
  permission: 'writeLeads',
  response: object({ version: integer() }),
  writes: true,
  summary: 'Change a thing',
} as const;
const change = (write: TransactItem, version: number) =>
  endpoint({
    ...changing,
    decide: () => ({ response: { version }, writes: [write], events: [] }),
  });

const table = async (): Promise<Record<string, Item>> =>
  Object.fromEntries((await scanTable()).map((item) => [`${item.pk} ${item.sk}`, item]));
const errorOf = ({ status, body }: { status: number; body: { error?: string } }) => `${status} ${body.error}`;
const body = { name: 'one' };

describe('a dry run', () => {
  test('a dry run changes nothing, and reports the response, changes and events of the real request', async () => {
    const before = await table();
    const { dryRun, answer, changes, events } = await acme.key.dryRun(create, { body });
    expect(await table()).toEqual(before);
    expect(asRecordId(String(answer.id))).toBe(answer.id);
    expect({ dryRun, answer, changes, events }).toEqual({
      dryRun: true,
      answer: { id: answer.id, name: 'one', taken: 7, version: 1 },
      changes: [{ type: 'thing', id: answer.id, action: 'created' }],
      events: [
        {
          kind: 'lead_created',
          subject: { type: 'lead', id: answer.id, version: 1 },
          data: { changes: { name: { to: 'one' } } },
        },
      ],
    });
    const real = await acme.key.ok(create, { body, query: { dryRun: false } });
    expect({ ...real, id: 0, taken: 0 }).toEqual({ ...answer, id: 0, taken: 0 });
    expect(await table()).toHaveProperty([`${one.pk} ${one.sk}`, 'version'], 1);
  });

  test('in a dry run, runOnce calls its preview and not its side effect', async () => {
    calls = { once: 0, decide: 0 };
    await acme.key.call(create, { body: { name: 'two' }, query: { dryRun: true } });
    expect(calls).toEqual({ once: 0, decide: 1 });
    const unpreviewed = endpoint({
      ...creation,
      decide: async ({ runOnce }) => {
        const taken = await runOnce(async () => ++calls.once);
        return { response: { id: 1, name: 'one', taken, version: 1 } };
      },
    });
    expect((await acme.key.call(unpreviewed, { body, query: { dryRun: true } })).status).toBe(500);
    expect(calls.once).toBe(0);
  });

  test('a dry run fails if the request would fail before or during its commit', async () => {
    const before = await table();
    const powerless = client({});
    const sent = [
      [powerless, {}, '401 not_authenticated'],
      [acme.key, { body: { nonsense: 1 } }, '400 invalid_input'],
      [acme.key, { body: { name: 'nobody' } }, '400 team_required'],
      // The first test created a record with this body.
      [acme.key, { body }, '400 already_member'],
      [acme.key, { body: { name: 'two' } }, '400 quota_exceeded'],
      [acme.key, { body, headers: { 'idempotency-key': 'ü' } }, '400 invalid_idempotency_key'],
    ] as const;
    const asked = (request: object) => ({ body, ...request }) as { body: { name: string } };
    for (const [by, request, expected] of sent)
      expect(errorOf(await by.call(create, { ...asked(request), query: { dryRun: true } }))).toBe(expected);
    expect(await table()).toEqual(before);
    for (const [by, request, expected] of sent)
      if (expected !== '400 quota_exceeded')
        expect(errorOf(await by.call(create, asked(request))), expected).toBe(expected);
  });

  test('the parameter dryRun must be true or false', async () => {
    const update = change(putIfVersion({ ...one, version: 2 }, 1), 2);
    const spelled = await acme.key.call(update, { query: { dryRun: 'yes' } });
    expect(spelled.body.details).toEqual([{ field: 'dryRun', message: 'must be true or false' }]);
  });

  test('a dry run checks If-Match', async () => {
    const update = change(putIfVersion({ ...one, version: 2 }, 1), 2);
    const dry = { query: { dryRun: true } };
    const sent = (etag: string) => acme.key.call(update, { ...dry, headers: { 'if-match': etag } });
    expect((await sent('"1"')).status).toBe(200);
    expect(errorOf(await sent('"2"'))).toBe('412 version_mismatch');
    const before = await table();
    expect((await acme.key.dryRun(change(deleteIfVersion(one, 1), 1))).answer).toEqual({ version: 1 });
    expect(await table()).toEqual(before);
  });

  test('a dry run that loses a race calls read and decide again', async () => {
    let version = 5;
    const racing = endpoint({
      ...changing,
      read: async () => --version,
      decide: (_, read) => ({
        response: { version: read },
        writes: [putIfVersion({ ...one, version: 2 }, read)],
        events: [],
      }),
    });
    expect((await acme.key.dryRun(racing)).answer).toEqual({ version: 1 });
  });

  test('a dry run neither stores nor replays a response for an Idempotency-Key', async () => {
    const greet = endpoint({
      ...changing,
      method: 'POST',
      path: '/greetings',
      decide: () => ({ response: { version: 3 }, writes: [], events: [] }),
    });
    const headers = { 'idempotency-key': 'dry' };
    const dry = () => acme.key.call(greet, { headers, query: { dryRun: true } });
    expect((await dry()).body).toMatchObject({ dryRun: true });
    const real = await acme.key.call(greet, { headers });
    expect([real.headers['idempotency-replayed'], real.body]).toEqual([undefined, { version: 3 }]);
    const after = await dry();
    expect([after.status, after.headers['idempotency-replayed']]).toEqual([200, undefined]);
    expect(after.body).toMatchObject({ dryRun: true, answer: { version: 3 } });
    const again = await acme.key.call(greet, { headers });
    expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', { version: 3 }]);
  });

  test('the OpenAPI document describes dryRun and its response in shared components, not in each operation', () => {
    const created = { ...creation, success: 'created' } as const;
    const { paths, components } = openApiDocument([{ name: 'things-create-thing', contract: created }]);
    const { parameters, responses } = paths['/things']?.post ?? {};
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/DryRun' });
    expect(components.parameters.DryRun).toMatchObject({
      name: 'dryRun',
      in: 'query',
      schema: { type: 'boolean', contentSchema: { $ref: '#/components/schemas/DryRun' } },
    });
    expect(components.schemas.DryRun).toMatchObject({
      required: ['dryRun', 'answer', 'changes', 'events', 'notifications', 'webhooks'],
    });
    expect(responses?.[200]).toBeUndefined();
    expect(responses?.[201]).toMatchObject({
      content: { 'application/json': { schema: { required: ['id', 'name', 'taken', 'version'] } } },
    });
  });
});

const merchant = await acme.admin.ok(createMerchant, { body: filledMerchant });

describe('the events of a dry run', () => {
  const body = { principals: [], addresses: [] };

  test.each<[Permission, boolean]>([
    ['readMerchants', true],
    ['readEvents', true],
    ['readApplications', false],
  ])('with %s, a caller who changes a merchant sees its label and values: %s', async (permission, shown) => {
    const { id, merchantName, addresses: [address] = [] } = merchant;
    const { client: by } = await member(acme, ['writeMerchants', permission]);
    const { events } = await by.dryRun(updateMerchant, { params: { merchantId: id }, body });
    const subject = { type: 'merchant', id };
    expect(events).toEqual([
      shown
        ? {
            kind: 'merchant_updated',
            subject: { ...subject, version: 2, label: merchantName },
            data: {
              changes: expect.objectContaining({
                [`addresses[${address?.id}].city`]: { from: address?.city },
              }),
            },
          }
        : { kind: 'merchant_updated', subject, data: {} },
    ]);
  });

  test('users see the labels and data of the events about themselves', async () => {
    const { client: by, user } = await member(acme, []);
    const { events } = await by.dryRun(updateUser, { params: { email: user.email }, body: { name: 'Ada' } });
    expect(events).toMatchObject([{ kind: 'user_updated', data: { changes: { name: { to: 'Ada' } } } }]);
  });
});

test('every route that changes something accepts dryRun, except signed notifications, impersonations and routes whose dry run would tell something about a user', async () => {
  const contracts = (await loadEndpoints()).map(({ endpoint }) => endpoint.contract);
  const without = contracts.filter((contract) => changes(contract) && !takesDryRun(contract));
  expect(without.map(({ path }) => path).sort()).toEqual([
    '/accounts',
    '/auth/factors',
    '/auth/factors/{factorId}/confirm',
    '/auth/login',
    '/auth/login/verify',
    '/auth/password-reset-request',
    '/auth/recovery-codes',
    '/auth/sso/exchange',
    '/auth/sso/logout/{accountId}/{connectionId}',
    '/auth/step-up',
    '/billing/provider/{accountId}/notifications',
    '/integrations/partner/{accountId}/events',
    '/scim/v2/Groups',
    '/scim/v2/Groups/{id}',
    '/scim/v2/Groups/{id}',
    '/scim/v2/Groups/{id}',
    '/scim/v2/Users',
    '/scim/v2/Users/{id}',
    '/scim/v2/Users/{id}',
    '/scim/v2/Users/{id}',
    '/users',
    '/users/{email}/accounts',
    '/users/{email}/impersonation',
  ]);
  expect(contracts.filter((contract) => !changes(contract)).some(takesDryRun)).toBe(false);
  const { decide } = change(putIfVersion({ ...one, version: 2 }, 1), 2);
  const plain = endpoint({ ...changing, noDryRun: 'For a test.', decide });
  const { body: response } = await acme.key.call(plain, { query: { dryRun: 'true' } });
  expect(response.details).toEqual([{ field: 'dryRun', message: 'is not a field of this request' }]);
});
