import { expect, test } from 'vitest';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import createTeam from '../../functions/teams/create-team.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import updateUser from '../../functions/users/update-user.ts';
import { drain } from '../harness/drain.ts';
import { type Member, member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
const { id: desk } = await admin.ok(createTeam, { body: { name: 'Desk' } });
const { id: otherDesk } = await admin.ok(createTeam, { body: { name: 'Other desk' } });
const other = String((await member(acme)).user.id);

const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id);

/** The queries read the list from the records, from the index of fields, and from the index of words. */
test.each([{}, { company: 'Harbor' }, { search: 'ada' }])(
  'a lead that gets another owner between two pages is not on the next page of own leads (%j)',
  async (of) => {
    const { client, user } = await member(acme, ['readOwnLeads']);
    const leads = [];
    for (let n = 0; n < 4; n++)
      leads.push(
        await admin.ok(createLead, {
          query: { skipTeamAndSourceRequirement: true },
          body: { firstName: 'Ada', lastName: 'Byron', company: 'Harbor', assignedTo: String(user.id) },
        }),
      );
    await drain();
    const page = (cursor: string) => client.ok(listLeads, { query: { pageSize: 2, ...of, cursor } });
    const first = await page('');
    const rest = idsOf(leads).filter((id) => !idsOf(first.data).includes(id));
    expect(rest).toHaveLength(2);
    const [lost = 0, kept] = rest;
    await admin.ok(assignLead, { params: { leadId: lost }, body: { assignedTo: other } });
    const next = await page(first.nextCursor ?? '');
    expect(idsOf(next.data)).toEqual([kept]);
  },
);

test.each([{}, { status: 'open' }, { search: 'terminal' }] as const)(
  'a ticket that gets another team between two pages is not on the next page of a team (%j)',
  async (of) => {
    const { page, tickets } = await walkOf(await member(acme, ['readTeamTickets'], { teamId: desk }));
    const first = await page({ ...of, cursor: '' });
    const rest = tickets.filter((id) => !idsOf(first.data).includes(id));
    const [lost, kept] = rest;
    await admin.ok(updateTicket, {
      params: { ticketId: String(lost) },
      body: { assignedTeamId: otherDesk },
    });
    const next = await page({ ...of, cursor: first.nextCursor ?? '' });
    expect(idsOf(next.data)).not.toContain(lost);
    expect(idsOf(next.data)).toContain(kept);
  },
);

test('a user who moves to another team between two pages gets no further ticket of the former team', async () => {
  const one = await member(acme, ['readTeamTickets'], { teamId: desk });
  const { page } = await walkOf(one);
  const first = await page({ cursor: '' });
  expect(first.nextCursor).toEqual(expect.any(String));
  await admin.ok(updateUser, { params: { email: one.user.email }, body: { teamId: otherDesk } });
  const next = await page({ cursor: first.nextCursor ?? '' });
  expect(next.data.map(({ assignedTeamId }) => assignedTeamId)).not.toContain(desk);
});

/** Creates four tickets of the desk. Returns them, and a function that reads a page of the tickets that a user reaches. */
async function walkOf({ client }: Member) {
  const tickets = [];
  for (let n = 0; n < 4; n++)
    tickets.push((await newTicketOf(admin, { assignedTeamId: desk, assignedTo: other })).id);
  await drain();
  const page = (query: { cursor: string }) => client.ok(listTickets, { query: { pageSize: 2, ...query } });
  return { tickets, page };
}
