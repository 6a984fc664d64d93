import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { accountKey } from '../../shared/accounts/keys.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { object, optional, string } from '../../shared/schema.ts';
import { isAppKey, mintAppKey } from '../../shared/security/app-keys.ts';
import { callMinute } from '../../shared/security/call-limit.ts';
import { callsKey } from '../../shared/security/keys.ts';
import { putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import { applicant, plantAppKey } from '../harness/applicant.ts';
import { logged } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { nextMinute } from '../harness/quiet-minute.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { type WireExchange, watchWire } from '../harness/wire.ts';

const Application = object({ kind: string(), name: string(), version: optional(string()) });
const terms = {
  path: '/applications/{applicationId}',
  params: object({ applicationId: string() }),
  permission: 'writeApplications',
  response: Application,
  applicant: true,
} as const;
const read = endpoint({
  ...terms,
  method: 'GET',
  summary: 'Read',
  // Reads an arbitrary item. A test checks that this read starts only after the authentication has ended.
  read: ({ account }) => getItem(eventKey(account, 1)),
  decide: ({ principal }) => ({ response: { kind: principal.kind, name: String(principal.id) } }),
});
const patch = endpoint({
  ...terms,
  method: 'POST',
  query: object({ peek: optional(string()) }),
  body: object({ name: string(), system: optional(object({ appStatus: string() })) }),
  applicantMayNotSend: ['peek', 'system'],
  emits: ['application_sensitive_data_revealed'],
  summary: 'Change',
  decide: ({ principal, params, body }) => ({
    response: { kind: principal.kind, name: body.name },
    writes: [],
    events: [
      {
        kind: 'application_sensitive_data_revealed',
        subject: { type: 'application', id: params.applicationId },
        data: { fields: [] },
      },
    ],
  }),
});

let acme: Tenant;
let appKey: string;
const params = { applicationId: 'app_harbor-street' };
beforeAll(async () => {
  acme = await tenant();
  appKey = await plantAppKey(acme.accountId, params.applicationId);
});
afterEach(clock.reset);

const limits = { usual: process.env.REQUESTS_PER_MINUTE };
afterEach(() => {
  process.env.REQUESTS_PER_MINUTE = limits.usual ?? '600';
});

const withKey = (sourceIp?: string) => applicant({ appKey, acctId: acme.accountId }, sourceIp);
const withWrongKey = (sourceIp?: string) =>
  applicant({ appKey: mintAppKey(), acctId: acme.accountId }, sourceIp);

/** Returns the requests that functions send to AWS services during `run`. */
async function sentDuring(run: () => Promise<unknown>): Promise<WireExchange[]> {
  const sent: WireExchange[] = [];
  const stop = watchWire({ done: (exchange) => exchange.invocation && sent.push(exchange) });
  await run();
  stop();
  return sent;
}

describe('an applicant', () => {
  test('an applicant is authenticated by the application’s key and needs no permission or x-account-id', async () => {
    expect(await withKey().ok(read, { params })).toEqual({ kind: 'applicant', name: params.applicationId });
    expect(await acme.key.ok(read, { params })).toMatchObject({ kind: 'key' });
  });

  test('items, log lines and events identify an applicant by the application and do not contain the appKey', async () => {
    const headers = { 'idempotency-key': 'applicant', referer: `https://x.test/?appKey=${appKey}` };
    const send = () => withKey().call(patch, { params, headers, body: { name: 'Harbor' } });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.headers['idempotency-replayed']]).toEqual([200, 'true']);
    const [event, ...others] = (await storedEvents(acme.accountId)).filter(
      ({ kind }) => kind === 'application_sensitive_data_revealed',
    );
    expect(others).toEqual([]);
    expect(event).toMatchObject({ actor: { user: `appKey:${params.applicationId}`, apiKey: null } });
    const table = await scanTable();
    const rows = table.filter(({ pk }) => pk.endsWith(`#IDEMPOTENCY#applicant:${params.applicationId}`));
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(table)).not.toContain(appKey);
    expect(logged.join('')).toContain(`applicant:${params.applicationId}`);
    expect(logged.join('')).not.toContain(appKey);
  });

  test('an applicant gets an error for each query parameter and body field that applicants may not send', async () => {
    const body = { name: 'Harbor', system: { appStatus: 'approved' } };
    const sent = { params, body, query: { peek: 'yes' } };
    const response = await withKey().call(patch, sent);
    const message = 'may not be sent with an appKey';
    expect(response.status).toBe(400);
    expect(response.body.details).toEqual([
      { field: 'peek', message },
      { field: 'system', message },
    ]);
    expect((await acme.key.call(patch, sent)).status).toBe(200);
  });

  test('an applicant is authenticated by one batch read, which is the same for a wrong key and for an unknown application', async () => {
    const keysOf = ({ input }: WireExchange) =>
      Object.values(
        input.RequestItems as Record<string, { Keys: { pk: { S: string }; sk: { S: string } }[] }>,
      )
        .flatMap(({ Keys }) => Keys.map(({ pk, sk }) => `${pk.S} ${sk.S.replace(/^MINUTE#.*/, 'MINUTE')}`))
        .sort();
    const clients = { right: withKey('198.51.100.1'), wrong: withWrongKey('198.51.100.1') };
    const right = await sentDuring(() => clients.right.call(read, { params }));
    const wrong = await sentDuring(() => clients.wrong.call(read, { params }));
    const reads = (sent: WireExchange[]) => sent.filter(({ operation }) => /Get/.test(operation));
    expect(reads(right).map(({ operation }) => operation)).toEqual(['BatchGetItem', 'GetItem']);
    expect(reads(wrong).map(({ operation }) => operation)).toEqual(['BatchGetItem']);
    const [[one], [other]] = [reads(right), reads(wrong)];
    if (!one || !other) throw new Error('Nothing was read.');
    expect(keysOf(other)).toEqual(keysOf(one));
    expect(one.endedAt).toBeLessThanOrEqual(reads(right)[1]?.startedAt ?? 0);
    const elsewhere = await sentDuring(() =>
      clients.wrong.call(read, { params: { applicationId: 'app_of-nobody' } }),
    );
    const renamed = keysOf(one).map((key) => key.replace(params.applicationId, 'app_of-nobody'));
    expect(reads(elsewhere).map(keysOf)).toEqual([renamed]);
  });

  test('a malformed application key is rejected with 401 before any read', async () => {
    const [right, { accountId: acctId }] = [appKey, acme];
    const last = right.endsWith('0') ? '1' : '0';
    const malformed = [
      { appKey: '' },
      { appKey: 'x', acctId },
      { appKey: `${right.slice(0, -1)}${last}`, acctId },
      { appKey: right.replace('mo_ak_', 'mo_sk_'), acctId },
      { appKey: right },
      { appKey: right, acctId: 'a#b' },
      { appKey: [right, right], acctId },
      { appKey: right, acctId: [acctId, acctId] },
    ];
    for (const query of malformed) {
      const sent = await sentDuring(async () =>
        expect((await applicant(query).call(read, { params })).status).toBe(401),
      );
      expect(sent, JSON.stringify(query)).toEqual([]);
    }
    const path = { applicationId: 'app#one' };
    expect(await sentDuring(() => withKey().call(read, { params: path }))).toEqual([]);
  });

  test('an address gets 429 after it sent 20 wrong keys for an application in 15 minutes, but other addresses do not', async () => {
    for (const applicationId of [params.applicationId, 'app_that-is-not']) {
      const wrong = withWrongKey('198.51.100.20');
      const statuses = [];
      for (let n = 0; n < 20; n++)
        statuses.push((await wrong.call(read, { params: { applicationId } })).status);
      expect(statuses).toEqual(Array.from({ length: 20 }, () => 401));
      // After exactly 20 wrong keys, the right key is rejected, too. Calls that get 429 are not counted.
      if (applicationId === params.applicationId)
        expect((await withKey('198.51.100.20').call(read, { params })).status).toBe(429);
      const { status, headers, body } = await wrong.call(read, { params: { applicationId } });
      expect([status, body.error]).toEqual([429, 'too_many_requests']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(880);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(900);
    }
    expect((await withKey('198.51.100.21').call(read, { params })).status).toBe(200);
    clock.advance(15 * 60_000 + 1000);
    expect((await withKey('198.51.100.20').call(read, { params })).status).toBe(200);
    expect((await withWrongKey('198.51.100.20').call(read, { params })).status).toBe(401);
  });

  test('wrong application keys are counted per IPv6 network', async () => {
    for (let n = 0; n < 20; n++) await withWrongKey(`2001:db8:0:7:${n}::1`).call(read, { params });
    expect((await withKey('2001:db8:0:7:ffff::2').call(read, { params })).status).toBe(429);
    expect((await withKey('2001:db8:0:8::1').call(read, { params })).status).toBe(200);
  });

  test('the application key of a closed account gets the same 401 as a wrong key', async () => {
    const closed = await tenant();
    const query = { appKey: await plantAppKey(closed.accountId, 'app_closed'), acctId: closed.accountId };
    const key = accountKey(closed.accountId);
    const sent = { params: { applicationId: 'app_closed' } };
    expect((await applicant(query).call(read, sent)).status).toBe(200);
    const tombstone = { ...(await getItem(key)), ...key, deletedAt: clock.now().toISOString() };
    await transact([putItem(tombstone)], Date.now() + 5000);
    const refused = await applicant(query).call(read, sent);
    expect([refused.status, refused.body.error]).toEqual([401, 'not_authenticated']);
  });

  test('if thirty wrong application keys are sent concurrently, ten are rejected with 429', async () => {
    const responses = await concurrently(30, () => withWrongKey('198.51.100.30').call(read, { params }));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  test('all applicants of an application share the usual request limit, which also counts dry runs', async () => {
    nextMinute();
    process.env.REQUESTS_PER_MINUTE = '3';
    const query = { dryRun: true };
    const responses = [await withKey().call(patch, { params, body: { name: 'x' }, query })];
    const counter = callsKey(acme.accountId, `applicant:${params.applicationId}`, callMinute(clock.now()));
    expect((await getItem(counter))?.count).toBe(1);
    for (let n = 0; n < 3; n++) responses.push(await withKey().call(read, { params }));
    expect(
      responses.map(({ status, headers }) => [
        status,
        headers['ratelimit-limit'],
        headers['ratelimit-remaining'],
      ]),
    ).toEqual([
      [200, '3', '2'],
      [200, '3', '1'],
      [200, '3', '0'],
      [429, '3', '0'],
    ]);
    const limited = (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'api_rate_limited');
    expect(limited).toMatchObject([{ subject: { type: 'application', id: params.applicationId } }]);
  });
});

test('application keys are unique and have a checksum', () => {
  const keys = Array.from({ length: 100 }, mintAppKey);
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^mo_ak_[0-9A-Za-z]{49}$/);
  expect(keys.every(isAppKey)).toBe(true);
  const changed = keys.map((key) => key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')));
  expect(changed.some(isAppKey)).toBe(false);
});

test('the OpenAPI document describes the appKey of a route for applicants', () => {
  const { paths, components } = openApiDocument([{ name: 'applications-change', contract: patch.contract }]);
  const operation = paths['/applications/{applicationId}']?.post;
  expect(operation?.security).toContainEqual({ appKey: [] });
  expect(components.securitySchemes.appKey).toMatchObject({ in: 'query', name: 'appKey' });
  expect(operation?.description).toContain('but must not send `peek` or `system`');
  expect(JSON.stringify(operation?.parameters)).toContain('AccountIdUnlessApplicant');
  expect(JSON.stringify(operation?.parameters)).toContain('"acctId"');
});

test('a route for applicants needs {applicationId} in its path', () => {
  const elsewhere = { ...terms, method: 'GET', path: '/things', summary: 'Read' } as const;
  expect(() => endpoint({ ...elsewhere, decide: () => ({ response: { kind: '', name: '' } }) })).toThrow(
    /needs \{applicationId\} in the path/,
  );
});
