import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import deleteMid from '../../functions/merchants/delete-mid.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import updateMid from '../../functions/merchants/update-mid.ts';
import searchRecords from '../../functions/search/search-records.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import { concurrently } from '../harness/concurrently.ts';
import { drain } from '../harness/drain.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const { admin } = acme;
const create = (merchantName: string, more = {}) =>
  admin.ok(createMerchant, { body: { merchantName, ...more } });
const harbor = await create('Harbor Street Coffee', {
  principals: [
    { firstName: 'Grace', lastName: 'Hopper', email: 'Grace.Hopper@example.com', phone: '(415) 555-0134' },
    { firstName: 'Zoë', lastName: "O'Neill" },
  ],
  addresses: [{ type: 'business', city: 'San José' }],
});
for (const mid of ['4445012345678', 'AB-17x'])
  await admin.ok(createMid, { params: { merchantId: harbor.id }, body: { mid } });
/** More merchants than a list compares without the index. */
await concurrently(26, (n) => create(`Yard ${n}`));
await drain();

const listed = async (search: string, more = {}) => {
  const { data } = await admin.ok(listMerchants, { query: { search, ...more } });
  return data.map(({ id }) => id);
};
const found = async (q: string, { admin: caller } = acme) =>
  (await caller.ok(searchRecords, { query: { q } })).merchants?.map(({ id }) => id);

test.each([
  'grace hopper',
  'oneill',
  'zoe coffee',
  'grace.hopper@example.com',
  'grace.hopper',
  '4155550134',
  '0134',
  'san jose',
  String(harbor.id),
  '4445012345678',
  'ab-17X',
  'harbor 4445012345678',
  'AB-17x 4445012345678',
])('“%s” finds a merchant by its principals, cities, MIDs and id', async (search) => {
  expect(await listed(search)).toEqual([harbor.id]);
  expect(await listed(search, { cursor: '', pageSize: 1 })).toEqual([harbor.id]);
  expect(await listed(search, { status: harbor.status, sort: 'merchantName' })).toEqual([harbor.id]);
  expect(await found(search)).toEqual([harbor.id]);
  expect(await found(search, await tenant())).toEqual([]);
});

test.each(['444501234567', 'AB', 'yard 4445012345678', '4445012345678 AB-17', 'AB-18'])(
  '“%s” does not find the merchant: MIDs are found whole',
  async (search) => {
    expect(await listed(search)).toEqual([]);
    expect(await found(search)).toEqual([]);
  },
);

test('a merchant is found by the numbers of its MIDs, also after a change or a move, and is shown as in other lists', async () => {
  const yard = await create('Navy Yard', { principals: [{ firstName: 'Vic', lastName: 'Quill' }] });
  const body = { mid: 'NY-1' };
  const mid = await admin.ok(createMid, { params: { merchantId: yard.id }, body });
  const params = { merchantId: yard.id, midId: mid.id };
  expect(await listed('ny-1')).toEqual([yard.id]);
  await admin.ok(updateMid, { params, body: { mid: 'NY-2' } });
  expect(await listed('ny-1')).toEqual([]);
  const page = await admin.ok(listMerchants, { query: { search: 'ny-2' } });
  expect(page).toMatchObject({ totalCount: 1, data: [{ id: yard.id }] });
  const [all] = (await admin.ok(listMerchants, { query: { merchantName: 'Navy Yard' } })).data;
  expect(page.data[0]).toEqual(all);
  expect(Object.keys(all ?? {})).not.toContain('principalNames');
  await admin.ok(updateMid, { params, body: { merchantId: harbor.id } });
  expect(await listed('ny-2')).toEqual([harbor.id]);
  await admin.ok(deleteMid, { params: { ...params, merchantId: harbor.id } });
  expect(await listed('ny-2')).toEqual([]);
});

test('a lead and a ticket are found by their ids', async () => {
  const lead = await admin.ok(createLead, {
    body: { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
  });
  const { id } = await admin.ok(createTicket, {
    body: {
      subject: 'Terminal',
      description: 'No receipts.',
      category: 'technical',
      requesterType: 'lead',
      requesterId: String(lead.id),
    },
  });
  await drain();
  const leads = await admin.ok(listLeads, { query: { search: String(lead.id) } });
  expect(leads.data.map((one) => one.id)).toEqual([lead.id]);
  const tickets = await admin.ok(listTickets, { query: { search: String(id) } });
  expect(tickets.data.map((one) => one.id)).toEqual([id]);
});
