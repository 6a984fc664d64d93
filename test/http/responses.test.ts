import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import logIn from '../../functions/auth/log-in.ts';
import logOut from '../../functions/auth/log-out.ts';
import readSession from '../../functions/auth/read-session.ts';
import listEvents from '../../functions/events/list-events.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import listNotifications from '../../functions/notifications/list-notifications.ts';
import readHealth from '../../functions/service/read-health.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { LeadParams } from '../../shared/sales/leads/schema.ts';
import { openObject } from '../../shared/schema.ts';
import { call, logged } from '../harness/call.ts';
import { drain } from '../harness/drain.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { nextMinute } from '../harness/quiet-minute.ts';
import { client, signIn, type Tenant, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

const acme = await tenant();
const ada = { firstName: 'Ada', lastName: 'Byron' };
const systemErrors = async ({ admin }: Tenant) =>
  (await admin.ok(listEvents, { query: { kind: 'system_error' } })).data;
afterEach(noFaults);

describe('every response', () => {
  test('every response has its content type, the request id, and the headers for caching and security', async () => {
    for (const response of [
      await acme.key.call(listTeams),
      await acme.key.call(createLead, { body: ada }),
      await acme.key.call(createLead, { body: {} as never }),
      await call(listTeams),
      await call(readHealth),
    ])
      expect(response.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
  });

  test('only a response with a single record has an ETag, which contains the record’s version', async () => {
    const created = await acme.key.call(createLead, { body: ada });
    const read = await acme.key.call(readLead, { params: { leadId: created.body.id } });
    expect([created.headers.etag, read.headers.etag]).toEqual(['"1"', '"1"']);
    expect((await acme.key.call(listTeams)).headers.etag).toBeUndefined();
  });

  test('every 401 response has the header www-authenticate', async () => {
    const gone = client({ authorization: await signIn({ apiKey: acme.apiKey, apiSecret: acme.apiSecret }) });
    await gone.ok(logOut);
    for (const response of [
      await call(listTeams),
      await gone.call(listTeams),
      await acme.directKey.call(logOut),
      await acme.directKey.call(readSession),
      await client({ ...acme.directKey.headers, 'x-api-secret': 'wrong' }).call(listTeams),
      await call(logIn, { body: { apiKey: acme.apiKey, apiSecret: 'wrong' } }),
      await call(logIn, { body: { email: acme.adminEmail, password: 'wrong' } }),
    ])
      expect([response.status, response.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect((await acme.key.call(listTeams)).headers['www-authenticate']).toBeUndefined();
  });

  test('every request is logged as one line of JSON, without the body and the credentials of the request', async () => {
    logged.length = 0;
    const body = { ...ada, notes: 'canary' };
    const { headers } = await acme.directKey.call(createLead, {
      body,
      query: { skipTeamAndSourceRequirement: true },
    });
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({
      level: 'info',
      requestId: headers['x-request-id'],
      route: 'POST /leads',
      status: 201,
      account: acme.accountId,
      principal: expect.stringMatching(/^key:\d+$/),
      milliseconds: expect.any(Number),
    });
    expect(logged[0]).not.toMatch(/canary|Byron|mo_sk_|mo_key_/);
  });
});

test('a failed background write is logged and does not change the response', async () => {
  // The first use of a key and the first call in a minute cause background writes.
  const { directKey } = await tenant();
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  // Each UpdateItem is a background write: the call counter or the last use of the key.
  const allow = watchWire({
    refuse: ({ invocation, operation }) =>
      invocation && operation === 'UpdateItem' ? 'the counter is refused' : undefined,
  });
  logged.length = 0;
  const { status, headers } = await directKey.call(createLead, { body: ada });
  expect(status).toBe(201);
  await setTimeout(20);
  allow();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  const lines = logged.map((line) => JSON.parse(line)).filter(({ background }) => background);
  expect(lines.map(({ background }) => background).sort()).toEqual(['count calls', 'note last use']);
  for (const line of lines)
    expect(line).toMatchObject({
      level: 'error',
      requestId: headers['x-request-id'],
      failure: { name: 'AccessDeniedException', message: 'the counter is refused' },
    });
});

describe('an unexpected error', () => {
  const broken = endpoint({
    method: 'GET',
    path: '/broken',
    access: 'public',
    response: openObject(),
    summary: 'Fail',
    decide: () => {
      throw new TypeError('the password of the database is hunter2');
    },
  });

  test('an unexpected error returns 500 with the request id, and the details of the error are only in the log', async () => {
    logged.length = 0;
    const { status, body, headers } = await call(broken);
    expect({ status, body }).toEqual({
      status: 500,
      body: { error: 'internal_error', status: 500, message: expect.stringContaining('x-request-id') },
    });
    const line = JSON.parse(logged[0] ?? '');
    expect(line).toMatchObject({ level: 'error', requestId: headers['x-request-id'], status: 500 });
    expect(line.failure).toMatchObject({ name: 'TypeError', message: expect.stringContaining('hunter2') });
  });

  const fail = () => {
    throw new TypeError('the password of the database is hunter2');
  };
  const brokenOf = { response: openObject(), summary: 'Fail' };
  const reads = endpoint({
    method: 'GET',
    path: '/broken/{leadId}',
    permission: 'readLeads',
    params: LeadParams,
    ...brokenOf,
    decide: fail,
  });
  const writes = endpoint({
    method: 'POST',
    path: '/broken',
    permission: 'writeLeads',
    emits: ['lead_created'],
    ...brokenOf,
    decide: fail,
  });
  const ownSession = endpoint({
    method: 'GET',
    path: '/broken',
    access: 'session',
    ...brokenOf,
    decide: fail,
  });

  test('unexpected errors emit one event per minute, account and route, without the error message', async () => {
    const [acme, other] = [await tenant(), await tenant()];
    nextMinute();
    const params = { leadId: 4711 };
    const { status, headers } = await acme.key.call(reads, { params });
    expect(status).toBe(500);
    await acme.admin.call(reads, { params });
    await acme.directKey.call(writes);
    await acme.directKey.call(ownSession);
    await other.key.call(reads, { params });
    const [session, write, read] = await systemErrors(acme);
    expect(read).toMatchObject({
      data: { requestId: headers['x-request-id'], route: 'GET /broken/{leadId}' },
      subject: { type: 'account', id: acme.accountId },
      actor: { apiKey: acme.apiKey },
    });
    expect([write?.data.route, session?.data.route]).toEqual(['POST /broken', 'GET /broken']);
    expect(JSON.stringify([session, write, read])).not.toContain('hunter2');
    await drain();
    const { data: notifications } = await acme.admin.ok(listNotifications, {
      query: { event: 'system_error' },
    });
    expect(notifications).toHaveLength(3);
    nextMinute();
    await acme.key.call(reads, { params });
    expect(await systemErrors(acme)).toHaveLength(4);
    expect(await systemErrors(other)).toHaveLength(1);
  });

  test('no event is emitted for a dry run, a request without an account or an expected error', async () => {
    nextMinute();
    const acme = await tenant();
    expect((await acme.key.call(writes, { query: { dryRun: true } })).status).toBe(500);
    expect((await call(broken)).status).toBe(500);
    expect((await acme.key.call(readLead, { params: { leadId: 4711 } })).status).toBe(404);
    expect(await systemErrors(acme)).toEqual([]);
  });

  test('a 500 response stays the same if its event cannot be written, and no event is written after the deadline', async () => {
    const acme = await tenant();
    nextMinute();
    let commits = 0;
    const allow = watchWire({
      refuse: ({ invocation, operation }) => {
        if (!invocation || operation !== 'TransactWriteItems') return undefined;
        commits += 1;
        return 'the transaction is refused';
      },
    });
    const { status, body } = await acme.key.call(writes);
    expect([status, body, commits]).toEqual([500, expect.objectContaining({ error: 'internal_error' }), 1]);
    expect((await acme.key.call(writes, { milliseconds: 0 })).status).toBe(500);
    expect(commits).toBe(1);
    allow();
    expect((await acme.key.call(writes)).status).toBe(500);
    expect(await systemErrors(acme)).toHaveLength(1);
  });
});

describe('a throttled table', () => {
  const lastLine = () => JSON.parse(logged.at(-1) ?? '');

  test('if the table stays throttled during all retries, the response is 503 with Retry-After, and the error is logged', async () => {
    injectFaults({ throttles: 1 });
    const { status, body, headers } = await acme.directKey.call(createLead, { body: ada });
    expect([status, body.error, headers['retry-after']]).toEqual([503, 'busy', '1']);
    expect(lastLine()).toMatchObject({
      level: 'info',
      error: 'busy',
      cause: 'ProvisionedThroughputExceededException',
    });
    noFaults();
    expect(await systemErrors(acme)).toEqual([]);
  });

  test('transaction conflicts return 503 and are not retried in the last second of a function', async () => {
    injectFaults({ conflicts: 1 });
    const sent = { body: ada, milliseconds: 1000 };
    const { status, body, headers } = await acme.directKey.call(createLead, sent);
    expect([status, body.error, headers['retry-after']]).toEqual([503, 'busy', '1']);
    expect([lastLine().cause, injected.conflicts]).toEqual(['TransactionConflict', 1]);
  });

  test('an unprocessed key is never treated as a missing item', async () => {
    injectFaults({ unprocessed: 1 });
    expect((await acme.key.call(listTeams)).body).toMatchObject({ status: 503, error: 'busy' });
    expect(lastLine().cause).toBe('UnprocessedKeys');
  });
});
