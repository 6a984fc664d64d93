import fc from 'fast-check';
import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { ticketStatuses } from '../../shared/sla/schema.ts';
import { measure } from '../costs/meter.ts';
import { cursorChanges } from '../harness/heavy.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { happyPath } from './happy-paths.ts';
import { exampleBody, nameOf } from './records.ts';

const all = await loadEndpoints();
const lists = all
  .filter(({ endpoint }) => takesCursor(endpoint))
  .map(({ endpoint }) => ({ route: nameOf(endpoint.contract), endpoint }));

function takesCursor({ contract }: Endpoint): boolean {
  return 'cursor' in ((contract.query as { properties?: object } | undefined)?.properties ?? {});
}

interface Found {
  records: { id: number | string }[];
  next: string | null;
}

async function pageFrom(client: Client, list: Endpoint, query: object, sent: object = {}): Promise<Found> {
  const { status, body, headers } = await client.call(list, { ...sent, query });
  expect(status, JSON.stringify(body)).toBe(200);
  if (Array.isArray(body)) return { records: body, next: headers['x-next-cursor'] ?? null };
  const { data, nextCursor } = body as unknown as { data: Found['records']; nextCursor: string | null };
  return { records: data, next: nextCursor };
}

/** Reads a list to its end. Between two pages, runs `change`. */
async function readAll(
  client: Client,
  list: Endpoint,
  { change = async () => {}, sent = {}, ...query }: { change?: () => Promise<unknown>; sent?: object },
) {
  const records: Found['records'] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await pageFrom(client, list, { ...query, cursor }, sent);
    records.push(...page.records);
    cursor = page.next;
    if (cursor !== null) await change();
  }
  return records.map(({ id }) => id);
}

test.each(lists)(
  '$route by cursor, one record at a time, returns the records of the list',
  async ({ endpoint }) => {
    const owner = await tenant();
    const { body: _, query: __, ...sent } = await happyPath(endpoint, all, owner);
    const plain = await pageFrom(owner.admin, endpoint, { pageSize: 100 }, sent);
    const ids = await readAll(owner.admin, endpoint, { pageSize: 1, sent } as object);
    expect(ids.toSorted()).toEqual(plain.records.map(({ id }) => id).toSorted());
  },
);

const statuses = fc.constantFrom(...ticketStatuses);
const open: readonly string[] = ['open', 'in_progress', 'resolved'];
const filters = fc.constantFrom({}, { status: open }, { search: 'kept' });

test('a list by cursor returns each ticket that matches throughout once, while tickets are created and changed', async () => {
  const ticket = { ...(exampleBody(createTicket) as object), subject: 'kept' };
  await fc.assert(
    fc.asyncProperty(
      filters,
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ at: fc.nat(), status: statuses }), { minLength: 4, maxLength: 8 }),
      async (filter, pageSize, changes) => {
        const { admin } = await tenant();
        const made: { id: number; uniqueId: string; status: string }[] = [];
        for (let n = 0; n < 6; n++)
          made.push((await admin.ok(createTicket, { body: ticket } as never)) as never);
        const wanted = 'status' in filter ? filter.status : undefined;
        const kept = new Set(made.map(({ id }) => id));
        const left = [...changes];
        const change = async () => {
          const { at = 0, status = 'open' } = left.pop() ?? {};
          const changed = made[at % made.length];
          if (changed) {
            await admin.call(updateTicket, { params: { ticketId: changed.uniqueId }, body: { status } });
            if (wanted && !wanted.includes(status)) kept.delete(changed.id);
          }
          await admin.ok(createTicket, { body: ticket } as never);
        };
        const ids = await readAll(admin, listTickets, { ...filter, pageSize, change } as object);
        expect(new Set(ids).size).toBe(ids.length);
        expect([...kept].filter((id) => !ids.includes(id))).toEqual([]);
      },
    ),
    { numRuns: 8 },
  );
});

test('updatedAfter returns exactly the leads that changed since then, with and without a cursor', async () => {
  const { admin } = await tenant();
  const lead = (firstName: string) => admin.ok(createLead, { body: { firstName, lastName: 'Hopper' } });
  const [changed, , deleted] = [await lead('Ada'), await lead('Grace'), await lead('Mary')];
  await new Promise((resolve) => setTimeout(resolve, 5));
  const updatedAfter = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await admin.ok(updateLead, { params: { leadId: changed.id }, body: { company: 'Harbor Street' } });
  await admin.ok(deleteLead, { params: { leadId: deleted.id } });
  const created = await lead('Jean');
  const expected = [created.id, changed.id];
  expect(await readAll(admin, listLeads, { updatedAfter, pageSize: 1 } as object)).toEqual(expected);
  const { records } = await pageFrom(admin, listLeads, { updatedAfter });
  expect(records.map(({ id }) => id)).toEqual(expected);
});

test('an invalid cursor, and a cursor with a page or another order, are rejected with the name of the field', async () => {
  const { admin } = await tenant();
  for (const [field, query] of [
    ['cursor', { cursor: 'garbage' }],
    ['cursor', { cursor: 'a!' }],
    ['page', { cursor: '', page: 2 }],
    ['sort', { cursor: '', sort: 'firstName' }],
  ] as const) {
    const { body } = await admin.call(listLeads, { query: query as never });
    expect(body, JSON.stringify(query)).toMatchObject({
      status: 400,
      error: 'invalid_input',
      details: [{ field }],
    });
  }
});

test('a list by cursor returns each lead once during concurrent creations and changes, and each page has the same cost', async () => {
  const { admin } = await tenant();
  const create = () => admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  const made = await Promise.all(Array.from({ length: 20 }, create));
  let left = cursorChanges;
  const client = async () => {
    for (let n = left--; n > 0; n = left--) {
      const leadId = made[n % made.length]?.id ?? 0;
      const changed = { params: { leadId }, body: { company: `Harbor Street ${n}` } };
      await (n % 2 ? create() : admin.call(updateLead, changed));
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, client));
  const ids = await readAll(admin, listLeads, { pageSize: 2 } as object);
  await clients;
  expect(new Set(ids).size).toBe(ids.length);
  expect(made.map(({ id }) => id).filter((id) => !ids.includes(id))).toEqual([]);

  let cursor: string | null = '';
  const costs = [];
  while (cursor !== null) {
    const query: { pageSize: number; cursor: string } = { pageSize: 5, cursor };
    const { result, exchanges, read } = await measure(() => pageFrom(admin, listLeads, query));
    // Some calls also write the caller's counter of the rate limit.
    const requests = exchanges.filter(({ operation }) => operation !== 'UpdateItem').length;
    if (result.next !== null) costs.push(JSON.stringify({ requests, read }));
    cursor = result.next;
  }
  expect(costs.length).toBeGreaterThan(5);
  expect(new Set(costs).size).toBe(1);
}, 120_000);
