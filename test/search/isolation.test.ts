import { beforeAll, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import searchRecords from '../../functions/search/search-records.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import countViews from '../../functions/views/count-views.ts';
import createView from '../../functions/views/create-view.ts';
import listViewRecords from '../../functions/views/list-view-records.ts';
import { digits } from '../../shared/table/keys.ts';
import { measure } from '../costs/meter.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { type Client, tenant } from '../harness/tenant.ts';

const [acme, other] = [await tenant(), await tenant()];
const {
  client: reader,
  user: { id: readerId },
} = await member(acme, ['readLeads']);

beforeAll(async () => {
  for (const { admin } of [acme, other]) {
    await admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' } });
    await admin.ok(createMerchant, { body: { merchantName: 'Byron Coffee' } });
    await admin.ok(createTicket, {
      body: {
        subject: 'Byron',
        description: 'No receipts.',
        category: 'technical',
        requesterType: 'external',
        requesterId: 'ada',
        requesterName: 'Ada Byron',
        requesterEmail: 'ada@example.com',
      },
    });
  }
  await drain();
});

/** Returns the partitions that a request names. */
function partitionsIn(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) =>
    name === 'pk' || name === ':pk' ? [String(value.S)] : partitionsIn(value),
  );
}

/** Returns the partitions of accounts that a call reads. */
async function partitionsOf(run: () => Promise<unknown>): Promise<string[]> {
  await run();
  const { exchanges } = await measure(run);
  return exchanges.flatMap(({ input }) => partitionsIn(input)).filter((pk) => pk.startsWith('ACCOUNT#'));
}

const ofAdministrators = ['VANITYDOMAIN', 'ACCOUNTTYPE', 'CHILDACCOUNT'];
const types = [
  ...['LEAD', 'APPLICATION', 'MERCHANT', 'TICKET', 'MIDNUMBER', 'UNDERWRITINGRULE'],
  ...ofAdministrators,
  'IMPERSONATION',
];
const typesIn = (partitions: readonly string[]) =>
  types.filter((type) => partitions.some((pk) => pk.split('#').includes(type)));

const view = { resource: 'lead', name: 'Byron', query: { search: 'byron' }, sharedWith: 'everyone' } as const;
const calls: [string, (client: Client) => Promise<unknown>][] = [
  ['GET /search', (client) => client.ok(searchRecords, { query: { q: 'byron 0134' } })],
  ['GET /leads', (client) => client.ok(listLeads, { query: { search: 'byron', archived: false } })],
  ['GET /views/counts', (client) => client.ok(countViews)],
];

test.each(calls)(
  '%s reads only items of the own account, and of the record types that the caller may read',
  async (_, callWith) => {
    for (const client of [reader, acme.admin]) {
      const partitions = await partitionsOf(() => callWith(client));
      const foreign = partitions.filter((pk) => !pk.startsWith(`ACCOUNT#${acme.accountId}#`));
      expect(foreign).toEqual([]);
      expect(partitions.length).toBeGreaterThan(2);
      if (client !== reader) continue;
      const own = `ACCOUNT#${acme.accountId}#IMPERSONATION#${digits(readerId)}`;
      expect(typesIn(partitions.filter((pk) => pk !== own))).toEqual(['LEAD']);
    }
  },
);

test('only a search of an administrator reads domains, account types and child accounts', async () => {
  const read = async (caller: Client) =>
    typesIn(await partitionsOf(() => caller.ok(searchRecords, { query: { q: 'byron' } })));
  expect((await read(acme.key)).filter((type) => ofAdministrators.includes(type))).toEqual([]);
  expect(await read(acme.admin)).toEqual(expect.arrayContaining(ofAdministrators));
});

test('the records of a view are read with the rights of the caller', async () => {
  const { id } = await acme.admin.ok(createView, { body: { ...view, resource: 'ticket' } });
  const shared = await acme.admin.ok(createView, { body: view });
  const read = (viewId: number) => reader.call(listViewRecords, { params: { id: viewId } });
  expect(typesIn(await partitionsOf(() => read(shared.id)))).toEqual(['LEAD']);
  expect((await read(shared.id)).status).toBe(200);
  expect(typesIn(await partitionsOf(() => read(id)))).toEqual([]);
  expect((await read(id)).status).toBe(403);
  expect((await other.admin.call(listViewRecords, { params: { id } })).status).toBe(404);
});
