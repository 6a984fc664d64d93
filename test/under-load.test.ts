import { afterAll, beforeAll, expect, test } from 'vitest';
import listEvents from '../functions/events/list-events.ts';
import createLead from '../functions/leads/create-lead.ts';
import listLeads from '../functions/leads/list-leads.ts';
import readLead from '../functions/leads/read-lead.ts';
import updateLead from '../functions/leads/update-lead.ts';
import createTeam from '../functions/teams/create-team.ts';
import listTeams from '../functions/teams/list-teams.ts';
import { drain } from './harness/drain.ts';
import { injected, injectFaults, noFaults } from './harness/faults.ts';
import { requests } from './harness/heavy.ts';
import { storedEvents } from './harness/raw-table.ts';
import { tenant } from './harness/tenant.ts';

const atOnce = 20;

const acme = await tenant();
afterAll(noFaults);

/** For the id of each acknowledged lead, the expected number of audit entries. */
const leads = new Map<number, number>();
let teams = 0;
const failures: string[] = [];

/**
 * Sends the n-th request. Of ten requests, four create leads, two update leads, two read leads, one lists leads and
 * one creates a team.
 */
async function request(n: number): Promise<void> {
  const known = [...leads.keys()];
  const leadId = known[n % known.length] ?? 0;
  const response = await [create, change, create, read, create, change, create, read, list, makeTeam][
    n % 10
  ]?.(n, leadId);
  if (response && response.status >= 400) failures.push(`${n}: ${response.status} ${response.body.error}`);
}

async function create(n: number) {
  const body = { firstName: 'Ada', lastName: `No ${n}` };
  const response = await acme.key.call(createLead, { body, query: { skipTeamAndSourceRequirement: true } });
  if (response.status === 201) leads.set(response.body.id, 1);
  return response;
}

async function change(n: number, leadId: number) {
  const response = await acme.key.call(updateLead, { params: { leadId }, body: { company: `Company ${n}` } });
  if (response.status === 200) leads.set(leadId, (leads.get(leadId) ?? 0) + 1);
  return response;
}

const read = (_: number, leadId: number) => acme.key.call(readLead, { params: { leadId } });
const list = () => acme.key.call(listLeads, { query: { pageSize: 10 } });

async function makeTeam(n: number) {
  const response = await acme.key.call(createTeam, { body: { name: `Team ${n}` } });
  if (response.status === 201) teams += 1;
  return response;
}

async function inTurn(count: number, one: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const totalOf = async (response: Promise<unknown>) => ((await response) as { totalCount: number }).totalCount;

beforeAll(async () => {
  await create(0);
  injectFaults({ throttles: 0.2, readThrottles: 0.2, conflicts: 0.2 });
  await inTurn(requests, request);
  noFaults();
});

test(`throttles and conflicts at 20%: 99.9% of ${requests} mixed requests succeed`, () => {
  expect(injected.throttles).toBeGreaterThan(0);
  expect(injected.conflicts).toBeGreaterThan(0);
  expect(failures.length, failures.join(', ')).toBeLessThanOrEqual(requests / 1000);
});

test('throttles and conflicts at 20%: the totals of leads and teams are exact', async () => {
  expect(await totalOf(acme.key.ok(listLeads))).toBe(leads.size);
  expect(await totalOf(acme.key.ok(listTeams))).toBe(teams);
});

test('throttles and conflicts at 20%: each acknowledged change has exactly one event, and there are no other events', async () => {
  const events = await storedEvents(acme.accountId);
  const count = (kind: string) => events.filter((event) => event.kind === kind).length;
  const changes = [...leads.values()].reduce((sum, entries) => sum + entries - 1, 0);
  expect({
    created: count('lead_created'),
    updated: count('lead_updated'),
    teams: count('team_created'),
  }).toEqual({ created: leads.size, updated: changes, teams });
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  expect(await totalOf(acme.admin.ok(listEvents))).toBe(events.length);
});

test('throttles and conflicts at 20%: each lead has one audit entry for each acknowledged change', async () => {
  await drain();
  const seen = new Map<number, number>();
  const ids = [...leads.keys()];
  await inTurn(ids.length, async (n) => {
    const leadId = ids[n] ?? 0;
    const { auditLog, version } = await acme.key.ok(readLead, { params: { leadId } });
    expect(version).toBe(auditLog.length);
    seen.set(leadId, auditLog.length);
  });
  expect(new Map([...seen].sort())).toEqual(new Map([...leads].sort()));
});
