import { beforeAll, expect, test } from 'vitest';
import createInvoice from '../../functions/invoices/create-invoice.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import searchRecords from '../../functions/search/search-records.ts';
import createTeam from '../../functions/teams/create-team.ts';
import readUserReach from '../../functions/users/read-user-reach.ts';
import { measure } from '../costs/meter.ts';
import { indexedLead } from '../harness/indexed-lead.ts';
import { member } from '../harness/member.ts';
import { putRange } from '../harness/seed.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const agent = await member(acme, [
  'readOwnLeads',
  'readUsers',
  'readOwnMerchants',
  'readInvoices',
  'writeInvoices',
]);
const firstId = 4_000_000_000_000_000;
const at = '2026-01-01T00:00:00.000Z';
const leadOf = (n: number, fields: object) =>
  indexedLead(acme.accountId, firstId + n, {
    ...{ createdAt: at, updatedAt: at, firstName: 'Ada', lastName: 'Byron' },
    ...fields,
  });

beforeAll(() =>
  putRange(0, 60, (n) =>
    leadOf(n, { assignedTo: String(agent.user.id), ...(n < 25 && { company: 'Zorp' }) }),
  ),
);

/** The requests that read the index in several ways: words, values, and both with a page, a cursor or a count. */
const queries = [
  { search: 'zorp' },
  { search: 'zorp ada', pageSize: 5 },
  { search: 'zorp', pageSize: 5, cursor: '' },
  { company: 'Zorp', pageSize: 5 },
  { archived: false, search: 'ada zorp', pageSize: 5, page: 2 },
  { sort: 'company', search: 'zorp', pageSize: 5 },
];

const shown = async () => {
  const all = [];
  for (const query of queries) {
    const { result, exchanges } = await measure(() => agent.client.ok(listLeads, { query }));
    all.push({
      query,
      result,
      requests: exchanges.filter(({ operation }) => operation !== 'UpdateItem').length,
    });
  }
  return [...all, await agent.client.ok(searchRecords, { query: { q: 'zorp ada' } })];
};

test('a hidden record with the same words changes no list, no total, no search and no number of requests', async () => {
  await shown();
  const before = await shown();
  expect(before.at(-1)).toMatchObject({ leads: [{ company: 'Zorp' }, {}, {}, {}, {}] });
  await putRange(60, 90, (n) => leadOf(n, { assignedTo: '7', company: 'Zorp', email: 'zorp@example.com' }));
  expect(await shown()).toEqual(before);
});

test('an invoice is not made out to a hidden merchant, as to an unknown one', async () => {
  const { id } = await acme.admin.ok(createMerchant, { body: { merchantName: 'Hidden Coffee' } });
  const send = (customerId: string) =>
    agent.client.call(createInvoice, {
      body: {
        customerType: 'merchant',
        customerId,
        currency: 'USD',
        lines: [{ description: 'Terminal', quantity: 1, unitAmount: 100 }],
      } as never,
    });
  const [hidden, unknown] = [await send(String(id)), await send('1234')];
  expect(hidden.body).toMatchObject({ error: 'customer_unknown' });
  expect([hidden.status, hidden.body]).toEqual([unknown.status, unknown.body]);
});

test('the reach of another user has no numbers for a caller who does not reach all records', async () => {
  const { lead } = await agent.client.ok(readUserReach, { params: { email: acme.adminEmail } });
  expect(lead).toEqual({ access: ['all'] });
  const own = await agent.client.ok(readUserReach, { params: { email: agent.user.email } });
  expect(own.lead).toEqual({ access: ['own'], count: 60, isExact: true });
});

test('a manager of many teams finds a word in old records, although many hidden ones have it', async () => {
  const manager = await member(acme, ['readTeamLeads']);
  const teams: number[] = [];
  for (let n = 0; n < 20; n++)
    teams.push(
      (await acme.admin.ok(createTeam, { body: { name: `Team ${n}`, managerIds: [manager.user.id] } })).id,
    );
  await putRange(100, 1300, (n) =>
    leadOf(n, { teamId: teams[n % teams.length], ...(n < 102 && { company: 'Rarely' }) }),
  );
  await putRange(1300, 1600, (n) => leadOf(n, { assignedTo: '7', company: 'Rarely' }));
  const { data } = await manager.client.ok(listLeads, { query: { search: 'rarely' } });
  expect(data.map(({ company }) => company)).toEqual(['Rarely', 'Rarely']);
  const { leads } = await manager.client.ok(searchRecords, { query: { q: 'rarely byron' } });
  expect(leads).toHaveLength(2);
});
