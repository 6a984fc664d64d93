import { expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import type { Ticket } from '../../shared/support/tickets/schema.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { tenant } from '../harness/tenant.ts';

const ticket = {
  subject: 'No receipt',
  description: 'Since noon',
  category: 'technical',
  requesterType: 'external',
  requesterId: 'customer-7',
  requesterName: 'Ada Byron',
  requesterEmail: 'ada@harbor.example',
} as const;

test('each list finds the records of a range, from its first instant and before its end', async () => {
  const { admin } = await tenant();
  const lists = [
    [createLead, listLeads, { firstName: 'Ada', lastName: 'Byron' }],
    [createApplication, listApplications, {}],
    [createMerchant, listMerchants, { merchantName: 'Harbor Coffee' }],
    [createTicket, listTickets, ticket],
  ] as const;
  for (const [create, list, body] of lists) {
    const records = [];
    for (let n = 0; n < 3; n++) {
      records.push((await admin.ok(create as typeof createLead, { body: body as never })) as { id: unknown });
      clock.advance(60_000);
    }
    const page = async (query: object) => admin.ok(list as typeof listLeads, { query });
    const times = (await page({})).data.map(({ createdAt }) => createdAt).reverse();
    const ids = records.map(({ id }) => id);
    for (const cursor of [undefined, '']) {
      const query = { createdFrom: times[1], createdTo: times[2], cursor };
      const found = await page(query);
      expect(found.data.map(({ id }) => id)).toEqual([ids[1]]);
      expect(found.totalCount).toBe(1);
      expect(found).not.toHaveProperty('totalIsLowerBound');
    }
    expect((await page({ createdFrom: times[1] })).data.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect((await page({ createdTo: times[2] })).data.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
  }
});

test('a range that contains no instant is rejected with the name of the filter', async () => {
  const { admin } = await tenant();
  const query = { createdFrom: '2026-03-02', createdTo: '2026-03-02T00:00:00Z' };
  expect(await admin.call(listLeads, { query })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'createdTo', message: 'must be after createdFrom' }] },
  });
});

test('a filter by a time of the SLA finds open targets that are due or overdue, unless their clock is paused', async () => {
  const { admin } = await tenant();
  const create = (priority: 'urgent' | 'low') => admin.ok(createTicket, { body: { ...ticket, priority } });
  const change = (of: Ticket, status: Ticket['status']) =>
    admin.ok(updateTicket, { params: { ticketId: of.uniqueId }, body: { status } });
  const waitingForStaff = await create('urgent');
  const answered = await create('urgent');
  const paused = await create('urgent');
  const resolved = await create('urgent');
  const later = await create('low');
  const params = { ticketId: answered.uniqueId };
  await admin.ok(createTicketComment, { params, body: { body: 'Which lamp is on?' } });
  await change(paused, 'waiting_customer');
  await change(resolved, 'resolved');
  // More tickets than a list compares without the index.
  for (let n = 0; n < 26; n++) await create('low');
  await drain();
  const found = async (query: object) =>
    (await admin.ok(listTickets, { query })).data.map(({ id }) => id).sort();
  const [firstResponse, resolution] = [
    { slaFirstResponseDueBefore: later.slaFirstResponseDue },
    { slaResolutionDueBefore: later.slaResolutionDue },
  ];
  expect(await found(firstResponse)).toEqual([waitingForStaff.id]);
  expect(await found(resolution)).toEqual([waitingForStaff.id, answered.id]);
  expect(await found({ ...resolution, search: 'receipt', status: 'open', cursor: '' })).toEqual([
    waitingForStaff.id,
    answered.id,
  ]);

  clock.advance(Date.parse(resolved.slaResolutionDue) - clock.now().getTime() + 60_000);
  await change(answered, 'closed');
  const { slaResolutionDue } = await change(paused, 'open');
  await drain();
  expect(await found(resolution)).toEqual([waitingForStaff.id, paused.id]);
  const untilResumed = new Date(Date.parse(slaResolutionDue) + 1).toISOString();
  expect(await found({ slaResolutionDueBefore: slaResolutionDue, search: 'receipt' })).not.toContain(
    paused.id,
  );
  expect(await found({ slaResolutionDueBefore: untilResumed, search: 'receipt' })).toContain(paused.id);
});
