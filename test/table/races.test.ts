import { afterEach, expect, test } from 'vitest';
import listEvents from '../../functions/events/list-events.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import readLead from '../../functions/leads/read-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deleteTeam from '../../functions/teams/delete-team.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import readTeam from '../../functions/teams/read-team.ts';
import type { Changes } from '../../shared/resources/event-data.ts';
import { concurrently } from '../harness/concurrently.ts';
import { drain } from '../harness/drain.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

afterEach(noFaults);

const acme = await tenant();
const texts = [
  'phone',
  'company',
  'jobTitle',
  'branch',
  'source',
  'position',
  'location',
  'processStage',
  'buyingRole',
  'notes',
];

test('50 concurrent changes of one lead all succeed, and each is based on the previous change', async () => {
  const lead = await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  const params = { leadId: lead.id };
  injectFaults({ overlap: true });
  const responses = await concurrently(50, (n) =>
    acme.key.ok(updateLead, { params, body: { [texts[n % texts.length] ?? '']: `by ${n}` } }),
  );
  expect(injected.overlaps).toBeGreaterThan(0);
  noFaults();
  expect(responses.map(({ version }) => version).sort((one, other) => one - other)).toEqual(
    Array.from({ length: 50 }, (_, n) => n + 2),
  );

  const updates = (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'lead_updated');
  const inOrder = updates
    .map(({ subject, data }) => ({
      subject: subject as { version: number },
      changes: (data as { changes: Changes }).changes,
    }))
    .sort((one, other) => one.subject.version - other.subject.version);
  const state: Record<string, unknown> = {};
  for (const { changes } of inOrder)
    for (const [field, { from, to }] of Object.entries(changes)) {
      expect(state[field]).toBe(from);
      state[field] = to;
    }
  expect(Object.keys(state)).toHaveLength(texts.length);

  await drain();
  const read = await acme.key.ok(readLead, { params });
  expect(read).toMatchObject({ ...state, version: 51 });
  expect(read.auditLog.map(({ event }) => event)).toEqual([
    ...Array(50).fill('lead_updated'),
    'lead_created',
  ]);
});

test('if two concurrent changes have the same If-Match, one succeeds and the other is rejected with 412', async () => {
  const lead = await acme.key.ok(createLead, { body: { firstName: 'Cyd', lastName: 'Byron' } });
  const responses = await concurrently(2, (n) =>
    acme.key.call(updateLead, {
      params: { leadId: lead.id },
      body: { company: `Company ${n}` },
      headers: { 'if-match': '"1"' },
    }),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
});

test('totals are exact after concurrent creations and deletions', async () => {
  const { key } = await tenant();
  const total = async () => ((await key.ok(listTeams)) as { totalCount: number }).totalCount;
  injectFaults({ conflicts: 0.1 });
  const teams = await concurrently(40, (n) => key.ok(createTeam, { body: { name: `Team ${n}` } }));
  expect(await total()).toBe(40);
  await Promise.all(teams.slice(0, 15).map(({ id }) => key.ok(deleteTeam, { params: { id } })));
  noFaults();
  expect(await total()).toBe(25);
  const { data } = (await key.ok(listTeams, { query: { pageSize: 100 } })) as { data: { id: number }[] };
  expect(data.map(({ id }) => id)).toEqual(
    teams
      .slice(15)
      .map(({ id }) => id)
      .sort((one, other) => other - one),
  );
});

test('only one of ten concurrent deletions of a record succeeds', async () => {
  const team = await acme.key.ok(createTeam, { body: { name: 'Gone' } });
  const before = ((await acme.key.ok(listTeams)) as { totalCount: number }).totalCount;
  const responses = await concurrently(10, () => acme.key.call(deleteTeam, { params: { id: team.id } }));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  expect((await acme.key.call(readTeam, { params: { id: team.id } })).status).toBe(404);
  expect(((await acme.key.ok(listTeams)) as { totalCount: number }).totalCount).toBe(before - 1);
  const events = (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'team_deleted');
  expect(events).toHaveLength(1);
});

test('the pages of a list contain each lead exactly once', async () => {
  const { key, admin } = await tenant();
  const made = await concurrently(60, (n) =>
    key.ok(createLead, { body: { firstName: 'Ada', lastName: `No ${n}` } }),
  );
  const pages = await concurrently(7, (n) => key.ok(listLeads, { query: { page: n + 1, pageSize: 9 } }));
  const seen = (pages as { data: { id: number }[] }[]).flatMap(({ data }) => data.map(({ id }) => id));
  expect(seen).toEqual(made.map(({ id }) => id).sort((one, other) => other - one));
  const events = (await admin.ok(listEvents, { query: { kind: 'lead_created' } })) as { totalCount: number };
  expect(events.totalCount).toBe(60);
});
