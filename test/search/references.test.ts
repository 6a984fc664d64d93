import { expect, test } from 'vitest';
import listApplications from '../../functions/applications/list-applications.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deleteTeam from '../../functions/teams/delete-team.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import { call } from '../harness/call.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';

const numeric = ['teamId', 'leadSourceId', 'assignedTeamId', 'merchantId', 'leadId', 'midId'];
const lists = [
  [listLeads, ['assignedTo', 'teamId', 'leadSourceId', 'applicationId']],
  [listApplications, ['assignedTo', 'leadId', 'merchantId']],
  [listMerchants, ['applicationId']],
  [
    listTickets,
    ['assignedTo', 'assignedTeamId', 'merchantId', 'leadId', 'applicationId', 'midId', 'ticketTypeId'],
  ],
] as const;

test('a filter by a malformed or unknown id is rejected with the name of the filter, also for callers who may not read the record', async () => {
  const acme = await tenant();
  const { client } = await member(acme, ['readLeads', 'readApplications', 'readMerchants', 'readTickets']);
  for (const [list, filters] of lists)
    for (const filter of filters) {
      const errorOf = async (value: string) => {
        const { status, body } = await call(list as typeof listLeads, {
          headers: client.headers,
          query: { [filter]: value },
        });
        expect(status, `${filter}=${value}`).toBe(400);
        return (body as { details?: { field: string }[] }).details?.[0];
      };
      const malformed = await errorOf('no-id!');
      expect(malformed?.field).toBe(numeric.includes(filter) ? `${filter}[0]` : filter);
      expect(await errorOf('214563398120449')).toEqual({
        field: filter,
        message: 'must be the id of an existing record',
      });
    }
  const { status } = await client.call(listTickets, { query: { ticketNumber: 'printer' } });
  expect(status).toBe(400);
});

test('a filter by an existing id returns an empty list, and a filter by a deleted team its former leads', async () => {
  const acme = await tenant();
  const { admin } = acme;
  const { user } = await member(acme);
  const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Field' } });
  for (const query of [
    { teamId },
    { assignedTo: String(user.id) },
    { assignedTo: 'none' },
    { teamId: [teamId, 214563398120449] },
  ])
    expect((await admin.ok(listLeads, { query })).totalCount, JSON.stringify(query)).toBe(0);
  const body = { firstName: 'Ada', lastName: 'Byron', teamId };
  const { id } = await admin.ok(createLead, { body, query: { skipTeamAndSourceRequirement: true } });
  await admin.ok(deleteTeam, { params: { id: teamId } });
  expect((await admin.ok(listLeads, { query: { teamId } })).data.map((lead) => lead.id)).toEqual([id]);
  const { status } = await admin.call(listLeads, { query: { teamId: [teamId], search: 'nobody' } });
  expect(status).toBe(400);
});
