import { afterEach, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { mintedAt } from '../../shared/id/mint.ts';
import { object, string } from '../../shared/schema.ts';
import { putIfAbsent, putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { logged } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { eventsAbout, scanTable, storedEvents } from '../harness/raw-table.ts';
import { takeDenied } from '../harness/rights.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
afterEach(noFaults);

const shown = {
  response: { secret: 'four' },
  writes: [],
  events: [
    {
      kind: 'application_sensitive_data_revealed' as const,
      subject: { type: 'application' as const, id: 'app_one' },
      data: { fields: ['basics.dbaTaxId'] },
    },
  ],
};
const contract = {
  path: '/secrets',
  permission: 'readLeads',
  response: object({ secret: string() }),
  emits: ['application_sensitive_data_revealed'],
  summary: 'Show',
} as const;
const show = endpoint({ ...contract, method: 'GET', decide: () => shown });
const revealed = async () =>
  (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'application_sensitive_data_revealed');

test('a GET that shows sensitive values emits an event', async () => {
  expect(await acme.key.ok(show)).toEqual({ secret: 'four' });
  expect(await revealed()).toMatchObject([
    {
      actor: { apiKey: acme.apiKey },
      subject: { type: 'application', id: 'app_one' },
      data: { fields: ['basics.dbaTaxId'] },
    },
  ]);
});

test('a GET that shows sensitive values cannot write records', async () => {
  const item = { pk: 'ACCOUNT#acme#LEAD#0000000000000007', sk: 'RECORD' };
  const writes = endpoint({
    ...contract,
    method: 'GET',
    decide: () => ({ ...shown, writes: [putItem(item)] }),
  });
  expect((await acme.key.call(writes)).status).toBe(500);
  expect(takeDenied()).toEqual([`GET /secrets: dynamodb:PutItem on table in ${item.pk}`]);
});

test('a GET whose event cannot be written returns 503 and no sensitive values', async () => {
  const before = await revealed();
  injectFaults({ conflicts: 1 });
  const { status, body } = await acme.key.call(show, { milliseconds: 1_200 });
  expect({ status, error: body.error }).toEqual({ status: 503, error: 'busy' });
  expect(JSON.stringify(body)).not.toContain('four');
  noFaults();
  expect(await revealed()).toEqual(before);
});

test('a PATCH that changes nothing can emit the event about shown sensitive values', async () => {
  const [before, patch] = [await revealed(), endpoint({ ...contract, method: 'PATCH', decide: () => shown })];
  expect(await acme.key.ok(patch)).toEqual({ secret: 'four' });
  expect(await revealed()).toHaveLength(before.length + 1);
});

const row = { pk: 'ACCOUNT#TEST#LISTED', sk: 'TEST' };
const listed = {
  method: 'POST',
  path: '/listed',
  permission: 'writeTeams',
  response: object({}),
  emits: ['team_activated'],
  summary: 'Emit',
} as const;
const event = (kind: 'team_activated' | 'team_deactivated', id: number) =>
  ({ kind, subject: { type: 'team', id }, data: {} }) as const;
const about = (team: number) => eventsAbout(acme.accountId, team);

test('a request that emits an event kind outside its contract fails, is logged and writes nothing', async () => {
  const events = [event('team_activated', 1), event('team_deactivated', 1)];
  const emits = endpoint({
    ...listed,
    decide: () => ({ response: {}, writes: [putIfAbsent(row)], events }),
  });
  logged.length = 0;
  expect(await acme.key.call(emits)).toMatchObject({ status: 500, body: { error: 'internal_error' } });
  expect(logged.join('')).toContain('POST /listed emits team_deactivated, which its contract does not list.');
  expect(await getItem(row)).toBeUndefined();
  expect(await about(1)).toEqual([]);
});

test('a part cannot emit an event kind that the contract of its endpoint does not list', async () => {
  const emits = endpoint({
    ...listed,
    commitsParts: true,
    decide: async ({ commit }) => {
      await commit([putIfAbsent(row)], [event('team_deactivated', 2)]);
      return { response: {} };
    },
  });
  expect((await acme.key.call(emits)).status).toBe(500);
  expect(await getItem(row)).toBeUndefined();
  expect(await about(2)).toEqual([]);
});

test('an event’s id contains the time of the decision, not the time of the request', async () => {
  const minutes = 60_000;
  const slow = endpoint({
    ...listed,
    read: async () => clock.advance(3 * minutes),
    decide: () => ({ response: {}, writes: [], events: [event('team_activated', 3)] }),
  });
  const arrived = clock.now();
  await acme.key.ok(slow);
  const [emitted] = await about(3);
  expect(mintedAt(Number(emitted?.id)).getTime()).toBeGreaterThanOrEqual(arrived.getTime() + 3 * minutes);
  expect(Date.parse(String(emitted?.occurredAt))).toBeLessThan(arrived.getTime() + 3 * minutes);
  clock.reset();
});

test('an event contains the request that caused it, without secrets', async () => {
  const { id } = await acme.key.ok(createLead, {
    body: { firstName: 'Ada', lastName: 'Byron' },
    query: { skipTeamAndSourceRequirement: true },
    headers: {
      Referer: 'https://app.test/leads/new?token=canary-referer&page=2',
      Cookie: 'session=canary-cookie',
      'X-Api-Key': 'canary-key',
      'X-Api-Secret': 'canary-secret',
      'X-Something-Else': 'canary-else',
      'User-Agent': 'a'.repeat(300),
      Origin: 'https://app.test',
    },
    sourceIp: '192.0.2.77',
  });
  const [created] = await eventsAbout(acme.accountId, id);
  expect(created?.request).toEqual({
    method: 'POST',
    path: '/leads',
    headers: {
      host: 'api.test',
      'content-type': 'application/json',
      authorization: '[masked]',
      'x-account-id': acme.accountId,
      referer: 'https://app.test/leads/new',
      'x-api-key': '[masked]',
      'x-api-secret': '[masked]',
      'user-agent': 'a'.repeat(256),
      origin: 'https://app.test',
    },
    ipAddress: '192.0.2.77',
  });
  expect(JSON.stringify(await scanTable())).not.toContain('canary');
});
