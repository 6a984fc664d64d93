import { beforeAll, expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import logIn from '../../functions/auth/log-in.ts';
import archiveLead from '../../functions/leads/archive-lead.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import disqualifyLead from '../../functions/leads/disqualify-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import qualifyLead from '../../functions/leads/qualify-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import unarchiveLead from '../../functions/leads/unarchive-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import searchRecords from '../../functions/search/search-records.ts';
import createTeam from '../../functions/teams/create-team.ts';
import countViews from '../../functions/views/count-views.ts';
import createView from '../../functions/views/create-view.ts';
import listViewRecords from '../../functions/views/list-view-records.ts';
import type { Lead } from '../../shared/sales/leads/schema.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { type Client, client, tenant } from '../harness/tenant.ts';
import { nameOf } from '../routes/records.ts';

const acme = await tenant();
const { id: west } = await acme.admin.ok(createTeam, { body: { name: 'West' } });
const { id: east } = await acme.admin.ok(createTeam, { body: { name: 'East' } });

const agent = await member(acme, ['readOwnLeads', 'writeOwnLeads', 'writeApplications'], { teamId: west });
const lead = await member(acme, ['readTeamLeads', 'writeOwnLeads'], { teamId: west });
const queue = await member(acme, ['readOwnLeads', 'readUnassignedLeads', 'writeUnassignedLeads']);
const writer = await member(acme, ['writeOwnLeads'], { teamId: west });
const outsider = await member(acme, ['readApplications']);
const everything = await member(acme, ['readLeads', 'writeLeads']);

const skip = { skipTeamAndSourceRequirement: true };
const created = async (fields: object): Promise<Lead> =>
  acme.admin.ok(createLead, { query: skip, body: { firstName: 'Ada', lastName: 'Byron', ...fields } });
const idOf = (one: { user: { id: number } }) => String(one.user.id);

const mine = await created({ assignedTo: idOf(agent), company: 'Mine', teamId: east });
const teams = await created({ assignedTo: idOf(everything), company: 'Teams', teamId: west });
const others = await created({ assignedTo: idOf(everything), company: 'Others', teamId: east });
const nobodys = await created({ company: 'Nobodys', teamId: east });
const all = [mine, teams, others, nobodys];

beforeAll(async () => {
  await drain();
});

const listed = async (by: Client, query: object = {}) => {
  const { data, totalCount } = await by.ok(listLeads, { query });
  expect(totalCount).toBe(data.length);
  return data.map(({ company }) => company).sort();
};
const read = async (by: Client) => {
  const found = await Promise.all(
    all.map(async ({ id, company }) => {
      const { status } = await by.call(readLead, { params: { leadId: id } });
      return status === 200 ? [company] : [];
    }),
  );
  return found.flat().sort();
};

test.each([
  ['own', agent, ['Mine']],
  ['own and team', lead, ['Teams']],
  ['own and unassigned', queue, ['Nobodys']],
  ['all', everything, ['Mine', 'Nobodys', 'Others', 'Teams']],
])(
  'a caller who reaches %s sees the same leads by id, in lists, searches, views and counts',
  async (_, one, reached) => {
    const by = one.client;
    expect(await read(by)).toEqual(reached);
    expect(await listed(by)).toEqual(reached);
    expect(await listed(by, { sort: 'company' })).toEqual(reached);
    expect(await listed(by, { search: 'ada' })).toEqual(reached);
    expect(await listed(by, { archived: false, updatedAfter: '2020-01-01T00:00:00.000Z' })).toEqual(reached);
    const walked = await by.ok(listLeads, { query: { cursor: '' } });
    expect(walked.data.map(({ company }) => company).sort()).toEqual(reached);
    const { leads } = await by.ok(searchRecords, { query: { q: 'byron' } });
    expect(leads?.map(({ company }) => company).sort()).toEqual(reached);
    const view = await by.ok(createView, {
      body: { resource: 'lead', name: 'All', query: { search: 'ada' }, sharedWith: 'me' },
    });
    const page = (await by.ok(listViewRecords, { params: { id: view.id } })) as unknown as { data: Lead[] };
    expect(page.data.map(({ company }) => company).sort()).toEqual(reached);
    const { data } = await by.ok(countViews);
    expect(data.find(({ id }) => id === view.id)?.count).toBe(reached.length);
  },
);

test('a caller without any permission for leads gets 403', async () => {
  const { status } = await outsider.client.call(readLead, { params: { leadId: mine.id } });
  expect(status).toBe(403);
});

const routes = [
  [readLead, {}],
  [updateLead, { company: 'Changed' }],
  [assignLead, { assignedTo: null }],
  [qualifyLead, {}],
  [disqualifyLead, {}],
  [archiveLead, undefined],
  [unarchiveLead, undefined],
  [convertLead, undefined],
  [deleteLead, undefined],
] as const;

const send = (by: Client, endpoint: (typeof routes)[number][0], leadId: number, body: unknown) =>
  by.call(endpoint as typeof updateLead, { params: { leadId }, body: body as object });

test.each(
  routes
    .filter(([endpoint]) => endpoint !== readLead && endpoint !== convertLead)
    .map(([endpoint, body]) => [nameOf(endpoint.contract), endpoint, body] as const),
)('%s of a lead that may only be read is a 403', async (_, endpoint, body) => {
  const response = await send(lead.client, endpoint, teams.id, body);
  expect([response.status, response.body]).toMatchObject([403, { error: 'permission_denied' }]);
});

test('permission to write only own leads hides the others', async () => {
  const { status } = await writer.client.call(updateLead, { params: { leadId: teams.id }, body: {} });
  expect(status).toBe(404);
});

test('a new lead of a limited caller belongs to the caller, and needs a reached owner', async () => {
  const names = { firstName: 'New', lastName: 'Lead' };
  const own = await agent.client.ok(createLead, { query: skip, body: names });
  expect(own.assignedTo).toBe(idOf(agent));
  const named = { ...names, assignedTo: idOf(everything) };
  const { status } = await agent.client.call(createLead, { query: skip, body: named });
  expect(status).toBe(403);
  const unassigned = await queue.client.ok(createLead, { query: skip, body: names });
  expect(unassigned.assignedTo).toBeUndefined();
});

test('a change of the owner takes effect at the next request, also in the list', async () => {
  const { id } = await created({ assignedTo: idOf(agent), company: 'Given' });
  await drain();
  expect(await listed(agent.client, { company: 'Given' })).toEqual(['Given']);
  await agent.client.ok(assignLead, { params: { leadId: id }, body: { assignedTo: idOf(everything) } });
  expect(await listed(agent.client, { company: 'Given' })).toEqual([]);
  expect((await agent.client.call(readLead, { params: { leadId: id } })).status).toBe(404);
});

test('an API key with limited permissions reaches the leads that it created', async () => {
  const { apiKey, apiSecret } = await acme.admin.ok(createApiKey, {
    body: { description: 'Import', flatPermissionsList: ['readOwnLeads', 'writeOwnLeads'] },
  });
  const { token } = (await client({}).ok(logIn, { body: { apiKey, apiSecret } })) as { token: string };
  const by = client({ authorization: `Bearer ${token}` });
  await by.ok(createLead, { query: skip, body: { firstName: 'By', lastName: 'Key', company: 'Keys' } });
  await drain();
  expect(await listed(by)).toEqual(['Keys']);
  expect((await by.call(readLead, { params: { leadId: mine.id } })).status).toBe(404);
});
