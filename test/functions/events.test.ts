import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test } from 'vitest';
import logIn from '../../functions/auth/log-in.ts';
import listEvents from '../../functions/events/list-events.ts';
import createLead from '../../functions/leads/create-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import { eventExpiry, monthCounter } from '../../shared/events/log.ts';
import type { LoggedEvent } from '../../shared/events/schema.ts';
import { tableName } from '../../shared/table/client.ts';
import { totalsKey } from '../../shared/table/keys.ts';
import { clock } from '../harness/clock.ts';
import { documents } from '../harness/documents.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { sessionIn, signIn, tenant } from '../harness/tenant.ts';

afterEach(clock.reset);

const acme = await tenant();
await signIn({ email: acme.adminEmail, password: acme.adminPassword });
const lead = await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
clock.advance(60_000);
const team = await acme.admin.ok(createTeam, { body: { name: 'West' } });
clock.advance(60_000);
await acme.admin.ok(updateLead, { params: { leadId: lead.id }, body: { company: 'Engines' } });
const later = clock.now().toISOString();

const list = async (query: object = {}) => {
  const page = (await acme.admin.ok(listEvents, { query })) as { data: LoggedEvent[]; totalCount: number };
  return { ...page, kinds: page.data.map(({ kind }) => kind) };
};

test('GET /events lists and counts all events of the account, newest first', async () => {
  const stored = await storedEvents(acme.accountId);
  const { data, totalCount, kinds } = await list();
  expect(data.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).reverse());
  expect(totalCount).toBe(stored.length);
  expect(kinds.slice(0, 3)).toEqual(['lead_updated', 'team_created', 'lead_created']);
  expect(kinds).toEqual(
    expect.arrayContaining(['account_created', 'user_created', 'api_key_created', 'user_logged_in']),
  );
});

test('the subject of an event has id, label and the version after the change', async () => {
  const { data } = await list({ subjectType: 'lead' });
  expect(data.map(({ subject }) => subject)).toEqual([
    { type: 'lead', id: lead.id, version: 2, label: 'Ada Byron' },
    { type: 'lead', id: lead.id, version: 1, label: 'Ada Byron' },
  ]);
});

test('GET /events filters by kind, subject, actor and time', async () => {
  expect((await list({ kind: ['team_created', 'lead_created'] })).kinds).toEqual([
    'team_created',
    'lead_created',
  ]);
  expect((await list({ subjectType: 'lead' })).kinds).toEqual(['lead_updated', 'lead_created']);
  expect((await list({ subjectId: team.id })).kinds).toEqual(['team_created']);
  expect((await list({ subjectType: 'lead', actor: acme.adminEmail })).kinds).toEqual(['lead_updated']);
  expect((await list({ subjectType: 'lead', actor: acme.apiKey })).kinds).toEqual(['lead_created']);
  expect((await list({ since: team.createdAt })).kinds).toEqual(['lead_updated']);
  expect((await list({ since: lead.createdAt, until: team.createdAt })).kinds).toEqual(['team_created']);
  expect((await list({ since: later })).kinds).toEqual([]);
  const elsewhere = new Date(Date.parse(team.createdAt) + 5 * 3600_000).toISOString().replace('Z', '+05:00');
  expect((await list({ since: elsewhere })).kinds).toEqual(['lead_updated']);
  expect((await list({ since: lead.createdAt, until: elsewhere })).kinds).toEqual(['team_created']);
  const oldest = await list({ sort: 'occurredAt', subjectType: 'lead' });
  expect(oldest.kinds).toEqual(['lead_created', 'lead_updated']);
});

test('GET /events refuses an unknown kind and an invalid time', async () => {
  for (const query of [
    { kind: 'lead_lost' },
    { since: 'yesterday' },
    { until: '2026-06-30T23:59:60Z' },
    { subject: 'lead' },
    { sort: 'actor' },
  ])
    expect((await acme.admin.call(listEvents, { query })).status, JSON.stringify(query)).toBe(400);
});

test('GET /events returns no events of other accounts', async () => {
  const other = await tenant();
  const { data } = (await other.admin.ok(listEvents)) as { data: LoggedEvent[] };
  expect(new Set(data.map(({ accountId }) => accountId))).toEqual(new Set([other.accountId]));
});

test('all events of a month expire 400 days after the end of the month, and are then no longer counted', async () => {
  const { admin, accountId, adminEmail, adminPassword } = await tenant();
  const before = (await admin.ok(listEvents)) as { totalCount: number };
  const month = '2025-01';
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: totalsKey(accountId, 7),
      UpdateExpression: 'SET #count = :count',
      ExpressionAttributeNames: { '#count': monthCounter(month) },
      ExpressionAttributeValues: { ':count': 1000 },
    }),
  );
  const goes = eventExpiry(month).getTime();
  expect(new Date(goes).toISOString()).toBe('2026-03-08T00:00:00.000Z');
  const expected = before.totalCount + (goes > Date.now() ? 1000 : 0);
  expect(((await admin.ok(listEvents)) as { totalCount: number }).totalCount).toBe(expected);

  clock.advance(eventExpiry(new Date().toISOString().slice(0, 7)).getTime() - Date.now() + 1);
  const body = { email: adminEmail, password: adminPassword };
  const { token } = sessionIn(await admin.ok(logIn, { body }));
  const emptied = await admin.ok(listEvents, { headers: { authorization: `Bearer ${token}` } });
  expect(emptied).toMatchObject({ totalCount: 1, data: [{ kind: 'user_logged_in' }] });
});
