import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import listApiKeys from '../../functions/apikeys/list-api-keys.ts';
import updateUnderwriting from '../../functions/applications/update-underwriting.ts';
import logIn from '../../functions/auth/log-in.ts';
import listEvents from '../../functions/events/list-events.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import createRole from '../../functions/roles/create-role.ts';
import deleteRole from '../../functions/roles/delete-role.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import {
  callCounterKey,
  callMinute,
  callsOf,
  countCall,
  secondsLeft,
} from '../../shared/security/call-limit.ts';
import { callsKey } from '../../shared/security/keys.ts';
import { asSeconds } from '../../shared/table/item.ts';
import { quotaKey, quotaReachedKey } from '../../shared/table/keys.ts';
import { addToCounter } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { joins, type Member, member } from '../harness/member.ts';
import { nextMinute } from '../harness/quiet-minute.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { storeRoles } from '../harness/stored-roles.ts';
import { client, type Tenant, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

const minute = 60_000;

describe('requests of one principal', () => {
  beforeEach(() => {
    process.env.REQUESTS_PER_MINUTE = '25';
    nextMinute();
  });
  afterEach(() => {
    process.env.REQUESTS_PER_MINUTE = '60000';
  });

  test('each response to an authenticated request has the limit, the remaining calls and the seconds until the next minute', async () => {
    const acme = await tenant();
    nextMinute();
    clock.advance(20_500);
    const limitsOf = async () => {
      const { headers } = await acme.key.call(listTeams);
      return ['limit', 'remaining', 'reset'].map((name) => headers[`ratelimit-${name}`]);
    };
    // The reset is 40 s, or some seconds less if the call is slow.
    const reset = expect.stringMatching(/^(40|3\d)$/);
    expect(await limitsOf()).toEqual(['25', '24', reset]);
    expect(await limitsOf()).toEqual(['25', '23', reset]);
    const sorted = await acme.key.call(listLeads, { query: { sort: 'lastName' } });
    expect(sorted.headers['ratelimit-remaining']).toBe('13');
    const again = await acme.key.call(listLeads, { query: { sort: 'lastName' } });
    expect([again.status, again.headers['ratelimit-remaining']]).toEqual([200, '3']);
    const refused = await acme.key.call(listLeads, { query: { sort: 'lastName' } });
    expect([refused.status, refused.headers['ratelimit-remaining']]).toEqual([429, '0']);
    const anonymous = await client({}).call(listTeams);
    expect([anonymous.status, anonymous.headers['ratelimit-limit']]).toEqual([401, undefined]);
  });

  test('dry runs count toward the request limit, and the next real request writes their number to the counter', async () => {
    const acme = await tenant();
    nextMinute();
    const before = await scanTable();
    const statuses: number[] = [];
    for (let n = 0; n < 30; n++) {
      const body = { name: 'Tried, never made', flatPermissionsList: [] };
      statuses.push((await acme.directKey.call(createRole, { body, query: { dryRun: true } })).status);
    }
    expect(statuses).toEqual([...Array(25).fill(200), ...Array(5).fill(429)]);
    expect(await scanTable()).toEqual(before);
    expect((await acme.directKey.call(listTeams)).status).toBe(429);
    const counters = (await scanTable()).filter(({ pk }) =>
      pk.startsWith(`ACCOUNT#${acme.accountId}#CALLS#key:`),
    );
    expect(counters.map(({ count }) => count)).toContain(31);
  });

  test('dry runs of a caller who may not read the records are counted in the table', async () => {
    const acme = await tenant();
    const [writer, underwriter] = [
      await member(acme, ['writeRoles']),
      await member(acme, ['writeUnderwriting']),
    ];
    nextMinute();
    const countOf = async ({ user: { id } }: Member) =>
      (await getItem(callsKey(acme.accountId, `user:${id}`, callMinute(clock.now()))))?.count;
    const query = { dryRun: true };
    const statuses: number[] = [];
    for (let n = 0; n < 26; n++) {
      const body = { name: 'Tried, never made', flatPermissionsList: [] };
      statuses.push((await writer.client.call(createRole, { body, query })).status);
    }
    expect(statuses).toEqual([...Array(25).fill(200), 429]);
    expect(await countOf(writer)).toBe(21);
    const kinds = (await storedEvents(acme.accountId)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'api_rate_limited')).toHaveLength(1);
    const params = { applicationId: 'app_none' };
    const refused = await underwriter.client.call(updateUnderwriting, { params, query, body: {} });
    expect([refused.status, await countOf(underwriter)]).toEqual([404, 1]);
    // This user may read leads, but not the applications that the request creates.
    const converter = await member(acme, ['readLeads', 'writeLeads', 'writeApplications']);
    const conversion = { params: { leadId: 1 }, query, body: {} };
    expect((await converter.client.call(convertLead, conversion)).status).toBe(404);
    expect(await countOf(converter)).toBe(1);
  });

  test('dry runs are counted according to the caller’s permissions in the account of the request', async () => {
    const [acme, home] = await Promise.all([tenant(), tenant()]);
    const guest = await member(home, ['readRoles', 'writeRoles']);
    const { email, id } = guest.user;
    await joins(guest, acme);
    const permissions = { params: { email }, body: { flatPermissionsList: ['writeRoles'] } };
    await acme.admin.ok(setUserPermissions, permissions);
    nextMinute();
    const sent = { query: { dryRun: true }, body: { name: 'Tried, never made', flatPermissionsList: [] } };
    const count = async () =>
      (await getItem(callsKey(home.accountId, `user:${id}`, callMinute(clock.now()))))?.count;
    expect((await guest.client.call(createRole, sent)).status).toBe(200);
    expect(await count()).toBeUndefined();
    const inAcme = { ...sent, headers: { 'x-account-id': acme.accountId } };
    expect((await guest.client.call(createRole, inAcme)).status).toBe(200);
    expect(await count()).toBe(2);
  });

  test('requests above the limit get 429 until the minute ends, and emit one event', async () => {
    const acme = await tenant();
    nextMinute();
    const statuses: number[] = [];
    for (let n = 0; n < 30; n++) statuses.push((await acme.key.call(listTeams)).status);
    expect(statuses).toEqual([...Array(25).fill(200), ...Array(5).fill(429)]);
    const refused = await acme.key.call(listTeams);
    expect(refused.body.error).toBe('too_many_requests');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await acme.admin.call(listTeams)).status).toBe(200);
    const { data } = await acme.admin.ok(listEvents, { query: { kind: 'api_rate_limited' } });
    expect(data).toMatchObject([{ data: { limit: 25 }, actor: { apiKey: acme.apiKey } }]);
    nextMinute();
    expect((await acme.key.call(listTeams)).status).toBe(200);
  });

  test('in a burst of concurrent requests, exactly the requests above the limit get 429', async () => {
    const acme = await tenant();
    nextMinute();
    injectFaults();
    const statuses = await concurrently(60, async () => (await acme.key.call(listTeams)).status);
    noFaults();
    expect(statuses.filter((status) => status === 200)).toHaveLength(25);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
  });

  test('the first request of a minute and every tenth request after it write the counter', async () => {
    const acme = await tenant();
    nextMinute();
    const counter = async () => {
      const keys = await acme.admin.ok(listApiKeys);
      const key = callsKey(acme.accountId, `key:${keys[0]?.id}`, clock.now().toISOString().slice(0, 16));
      return Number((await getItem(key))?.count ?? 0);
    };
    await acme.key.ok(listTeams);
    expect(await counter()).toBe(1);
    for (let n = 0; n < 9; n++) await acme.key.ok(listTeams);
    expect(await counter()).toBe(1);
    await acme.key.ok(listTeams);
    expect(await counter()).toBe(11);
  });

  test('a list that reads many records counts as ten requests, and any other list as one request', async () => {
    const acme = await tenant();
    const since = new Date(0).toISOString();
    for (const query of [
      { updatedAfter: since },
      { search: 'ada', sort: 'lastName' },
      { sort: 'lastName' },
    ]) {
      nextMinute();
      const statuses: number[] = [];
      for (let n = 0; n < 3; n++) statuses.push((await acme.key.call(listLeads, { query })).status);
      expect(statuses, JSON.stringify(query)).toEqual([200, 200, 429]);
    }
    nextMinute();
    for (const query of [
      {},
      { page: 2 },
      { pageSize: 50 },
      { sort: '-createdAt' },
      { search: '' },
      { search: 'ada', archived: false },
    ])
      for (let n = 0; n < 4; n++) expect((await acme.key.call(listLeads, { query })).status).toBe(200);
  });

  test('unauthenticated requests are not counted', async () => {
    const acme = await tenant();
    nextMinute();
    const forged = client({
      'x-account-id': acme.accountId,
      'x-api-key': acme.apiKey,
      'x-api-secret': 'mo_sk_wrong',
    });
    for (let n = 0; n < 30; n++) expect((await forged.call(listTeams)).status).toBe(401);
    expect((await acme.key.call(listTeams)).status).toBe(200);
  });
});

describe('a key', () => {
  test('an API key shows its last use with a precision of one hour', async () => {
    const acme = await tenant();
    await acme.directKey.ok(listTeams);
    const [first] = await acme.admin.ok(listApiKeys);
    expect(first?.lastUsedAt).toEqual(expect.any(String));
    clock.advance(20 * minute);
    await acme.directKey.ok(listTeams);
    expect((await acme.admin.ok(listApiKeys))[0]?.lastUsedAt).toBe(first?.lastUsedAt);
    clock.advance(41 * minute);
    await acme.directKey.ok(listTeams);
    expect((await acme.admin.ok(listApiKeys))[0]?.lastUsedAt).not.toBe(first?.lastUsedAt);
  });
});

describe('failed logins', () => {
  const attempt = (credentials: Record<string, string>, sourceIp: string) =>
    client({}).call(logIn, { body: credentials, sourceIp });

  test('after ten failed logins with one name from one address in 15 minutes, the right password is rejected, too', async () => {
    const { adminEmail: email, adminPassword } = await tenant();
    for (let n = 0; n < 10; n++)
      expect(
        (await attempt({ email: n % 2 ? email : email.toUpperCase(), password: 'wrong' }, '192.0.2.7'))
          .status,
      ).toBe(401);
    const eleventh = await attempt({ email, password: adminPassword }, '192.0.2.7');
    expect([eleventh.status, eleventh.body.error]).toEqual([429, 'too_many_requests']);
    expect(Number(eleventh.headers['retry-after'])).toBeGreaterThan(14 * 60);
    expect((await attempt({ email, password: adminPassword }, '192.0.2.8')).status).toBe(200);
    clock.advance(15 * minute);
    expect((await attempt({ email, password: adminPassword }, '192.0.2.7')).status).toBe(200);
  });

  test('if forty logins with a wrong password are sent concurrently, at most ten passwords are checked', async () => {
    const { adminEmail: email } = await tenant();
    const responses = await concurrently(40, () => attempt({ email, password: 'wrong' }, '192.0.2.9'));
    expect(responses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10);
    expect(responses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(30);
  });

  test('if too many correct logins are sent concurrently, the rejected logins can be retried after one second', async () => {
    const { adminEmail: email, adminPassword: password } = await tenant();
    const responses = await concurrently(25, () => attempt({ email, password }, '192.0.2.13'));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const waits = responses
      .filter(({ status }) => status === 429)
      .map(({ headers }) => headers['retry-after']);
    expect(new Set(waits)).toEqual(new Set(['1']));
    expect((await attempt({ email, password }, '192.0.2.13')).status).toBe(200);
  });

  test('failed logins with unknown names are counted, too', async () => {
    const credentials = { email: 'nobody@nowhere.test', password: 'wrong' };
    for (let n = 0; n < 10; n++) expect((await attempt(credentials, '192.0.2.10')).status).toBe(401);
    expect((await attempt(credentials, '192.0.2.10')).status).toBe(429);
  });

  test('successful logins of an API key are not counted, but after ten failed logins, its logins are rejected', async () => {
    const { apiKey, apiSecret } = await tenant();
    const together = await concurrently(20, () => attempt({ apiKey, apiSecret }, '192.0.2.11'));
    expect(new Set(together.map(({ status }) => status))).toEqual(new Set([200]));
    for (let n = 0; n < 10; n++)
      expect((await attempt({ apiKey, apiSecret: 'wrong' }, '192.0.2.11')).status).toBe(401);
    expect((await attempt({ apiKey, apiSecret }, '192.0.2.11')).status).toBe(429);
  });
});

const fillRoles = ({ accountId }: Tenant) =>
  storeRoles(
    accountId,
    Array.from({ length: 100 }, (_, n) => `Role ${n}`),
  );
const fillKeys = ({ accountId }: Tenant) =>
  commit({
    writes: [addToCounter(quotaKey(accountId, 'APIKEY'), 100)],
    events: [],
    deadline: Date.now(),
  });

describe('an event that is emitted once a minute', () => {
  const minuteMark = (name: string) => quotaReachedKey('acc_once' as AccountId, name, '2026-03-01T09:30');
  const event = (id: number): Event => ({
    id,
    kind: 'quota_exceeded',
    version: 1,
    accountId: 'acc_once' as AccountId,
    actor: { user: 'someone', apiKey: null },
    subject: { type: 'account', id: 'acc_once' },
    data: { quota: '/roles' },
    request: { method: 'POST', path: '/roles', headers: {}, ipAddress: '192.0.2.1' },
    occurredAt: '2026-03-01T09:30:00.000Z',
  });
  const until = new Date('2026-03-01T10:30:00Z');
  const instance = async () => {
    vi.resetModules();
    return (await import('../../shared/events/emit-once.ts')).emitOnce;
  };
  const emitted = async () => (await storedEvents('acc_once')).map(({ id }) => id);

  test('if several instances try to emit the event, only one emits it', async () => {
    const instances = [await instance(), await instance(), await instance()];
    await Promise.all(
      instances.map((emitOnce, n) =>
        emitOnce(minuteMark('shared'), () => event(n + 1), { until, deadline: Date.now() + 10_000 }),
      ),
    );
    expect(await emitted()).toHaveLength(1);
  });

  test('if the first attempt to emit the event fails, the next request emits it', async () => {
    const emitOnce = await instance();
    const before = (await emitted()).length;
    const allow = watchWire({ refuse: () => 'not now' });
    const failing = emitOnce(minuteMark('failing'), () => event(11), { until, deadline: Date.now() });
    await expect(failing).rejects.toThrow('not now');
    allow();
    await emitOnce(minuteMark('failing'), () => event(12), { until, deadline: Date.now() + 10_000 });
    expect((await emitted()).slice(before)).toEqual([12]);
  });

  test('an instance sends no request for an event that it has already emitted', async () => {
    const emitOnce = await instance();
    const again = () =>
      emitOnce(minuteMark('known'), () => event(21), { until, deadline: Date.now() + 10_000 });
    await again();
    let sent = 0;
    const stop = watchWire({ done: () => sent++ });
    await again();
    stop();
    expect(sent).toBe(0);
  });
});

describe('a quota', () => {
  test('a role above the quota of 100 is rejected with one event, and can be created after another role is deleted', async () => {
    const acme = await tenant();
    const [first] = await fillRoles(acme);
    const over = { body: { name: 'One too many', flatPermissionsList: [] } };
    const emitted = async () =>
      (await acme.admin.ok(listEvents, { query: { kind: 'quota_exceeded' } })).data.map(({ data }) => data);
    for (const [query, events] of [
      [{ dryRun: true }, []],
      [{}, [{ quota: '/roles' }]],
    ] as const) {
      const refused = await acme.admin.call(createRole, { ...over, query });
      expect([refused.status, refused.body.error]).toEqual([400, 'quota_exceeded']);
      expect(await emitted()).toEqual(events);
    }
    await acme.admin.ok(deleteRole, { params: { id: first?.id ?? 0 } });
    await acme.admin.ok(createRole, over);
  });

  test('repeated requests above a quota emit one event per minute, quota and account', async () => {
    const [acme, other] = [await tenant(), await tenant()];
    await Promise.all([fillRoles(acme), fillRoles(other), fillKeys(acme)]);
    const role = { body: { name: 'One too many', flatPermissionsList: [] } };
    const key = { body: { description: 'One too many' } };
    const loop = async (of: Tenant) => {
      injectFaults();
      const responses = await concurrently(15, () => of.admin.call(createRole, role));
      for (let n = 0; n < 10; n++) responses.push(await of.admin.call(createRole, role));
      noFaults();
      expect(new Set(responses.map(({ body }) => body.error))).toEqual(new Set(['quota_exceeded']));
    };
    const emitted = async (of: Tenant) =>
      (await of.admin.ok(listEvents, { query: { kind: 'quota_exceeded' } })).data.map(
        ({ data }) => data.quota,
      );
    nextMinute();
    await Promise.all([loop(acme), loop(other)]);
    expect([await emitted(acme), await emitted(other)]).toEqual([['/roles'], ['/roles']]);
    expect((await acme.admin.call(createApiKey, key)).body.error).toBe('quota_exceeded');
    expect((await acme.admin.call(createApiKey, key)).body.error).toBe('quota_exceeded');
    expect(await emitted(acme)).toEqual(['/apikeys', '/roles']);
    nextMinute();
    await loop(acme);
    expect(await emitted(acme)).toEqual(['/roles', '/apikeys', '/roles']);
    expect(await emitted(other)).toEqual(['/roles']);
  });
});

const at = (time: string) => new Date(`2026-03-01T09:30:${time}Z`);

test('Retry-After is the number of seconds until the next minute', () => {
  expect(['00.000', '00.999', '45.500', '59.999'].map((time) => secondsLeft(at(time)))).toEqual([
    60, 60, 15, 1,
  ]);
});

test('the counter of a minute expires between one minute and one hour later', async () => {
  const calls = callsOf({ kind: 'user', id: 7, home: 'acme' as AccountId });
  await countCall(calls, undefined, at('10.000')).write?.();
  const counter = await getItem(callCounterKey(calls, at('10.000')));
  expect(counter).toMatchObject({ count: 1, expiresAtSeconds: expect.any(Number) });
  const kept = Number(counter?.expiresAtSeconds) - asSeconds(at('10.000'));
  expect(kept).toBeGreaterThanOrEqual(60);
  expect(kept).toBeLessThanOrEqual(3600);
});
