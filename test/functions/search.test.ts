import { expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import searchRecords from '../../functions/search/search-records.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { type Client, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const { admin } = acme;
const find = (q: string, caller: Client = admin) => caller.ok(searchRecords, { query: { q } });
const nothing = { leads: [], applications: [], merchants: [], tickets: [], users: [] };

const lead = await admin.ok(createLead, {
  body: { firstName: 'José', lastName: 'Núñez', email: 'jose@example.com' },
});
const application = await admin.ok(createApplication, { body: { basics: { dbaName: 'Núñez & Sons' } } });
const merchant = await admin.ok(createMerchant, { body: { merchantName: 'Nunez Coffee' } });
const ticket = await admin.ok(createTicket, {
  body: {
    subject: 'Terminal',
    description: 'Mr. Nunez has no receipts.',
    category: 'technical',
    requesterType: 'lead',
    requesterId: String(lead.id),
  },
});
const { user } = await member(acme, [], { name: 'Ana Núñez' });
await drain();

const idsOf = (groups: Awaited<ReturnType<typeof find>>) =>
  Object.fromEntries(Object.entries(groups).map(([type, records]) => [type, records.map(({ id }) => id)]));

test('a search finds records of all types, as their lists show them', async () => {
  const found = await find('nunez');
  expect(idsOf(found)).toEqual({
    leads: [lead.id],
    applications: [application.id],
    merchants: [merchant.id],
    tickets: [ticket.id],
    users: [user.id],
  });
  const { data } = await admin.ok(listTickets, { query: { search: 'nunez' } });
  expect(found.tickets).toEqual(data);
  expect(await find('sons nun')).toMatchObject({ ...nothing, applications: [{ id: application.id }] });
  expect(await find(ticket.ticketNumber.toLowerCase())).toMatchObject({ tickets: [{ id: ticket.id }] });
  expect(await find(user.email)).toMatchObject({ ...nothing, users: [{ id: user.id }] });
  expect(await find('nobody')).toEqual(nothing);
  expect(await find('…')).toEqual(nothing);
});

test('at most five records of a type are returned: whole words before beginnings, names before texts, then newest', async () => {
  const create = (lastName: string, more = {}) =>
    admin.ok(createLead, { body: { firstName: 'Ada', lastName, ...more } });
  const text = await create('Byron', { notes: 'Knows Quill.' });
  const beginning = await create('Quillon');
  const older = await create('Quill');
  const newer = await create('Quill');
  await drain();
  expect((await find('quill')).leads?.map(({ id }) => id)).toEqual([
    newer.id,
    older.id,
    text.id,
    beginning.id,
  ]);
  for (let n = 0; n < 4; n++) await create('Quill');
  await drain();
  const { leads } = await find('quill');
  expect(leads?.map(({ lastName }) => lastName)).toEqual(Array.from({ length: 5 }, () => 'Quill'));
  expect(leads?.map(({ id }) => id)).not.toContain(older.id);
});

test('a changed or deleted record is not found by its old words, even before the index is updated', async () => {
  const [changed, deleted] = [
    await admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Stale' } }),
    await admin.ok(createLead, { body: { firstName: 'Bea', lastName: 'Stale' } }),
  ];
  await drain();
  expect((await find('stale')).leads).toHaveLength(2);
  await admin.ok(updateLead, { params: { leadId: changed.id }, body: { lastName: 'Fresh' } });
  await admin.ok(deleteLead, { params: { leadId: deleted.id } });
  expect((await find('stale')).leads).toEqual([]);
  await drain();
  expect((await find('fresh')).leads).toMatchObject([{ id: changed.id }]);
});

test('a caller gets only the types that it may read, and only records of its account', async () => {
  const { client: sales } = await member(acme, ['readLeads', 'readMerchants']);
  expect(idsOf(await find('nunez', sales))).toEqual({ leads: [lead.id], merchants: [merchant.id] });
  const { client: support } = await member(acme, ['readTickets']);
  expect(idsOf(await find('nunez', support))).toEqual({ tickets: [ticket.id] });
  const other = await tenant();
  expect(await find('nunez', other.admin)).toEqual(nothing);
});
