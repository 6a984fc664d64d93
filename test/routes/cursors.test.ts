import fc from 'fast-check';
import { expect, test } from 'vitest';
import createLeadSource from '../../functions/lead-sources/create-lead-source.ts';
import deleteLeadSource from '../../functions/lead-sources/delete-lead-source.ts';
import listLeadSources from '../../functions/lead-sources/list-lead-sources.ts';
import updateLeadSource from '../../functions/lead-sources/update-lead-source.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import deleteMerchant from '../../functions/merchants/delete-merchant.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deleteTeam from '../../functions/teams/delete-team.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import updateTeam from '../../functions/teams/update-team.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { ticketStatuses } from '../../shared/sla/schema.ts';
import { measure } from '../costs/meter.ts';
import { cursorChanges, runs } from '../harness/heavy.ts';
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
    const { body: _, query: __, ...sent } = await happyPath(endpoint, owner);
    const plain = await pageFrom(owner.admin, endpoint, { pageSize: 100 }, sent);
    const ids = await readAll(owner.admin, endpoint, { pageSize: 1, sent } as object);
    expect(ids.toSorted()).toEqual(plain.records.map(({ id }) => id).toSorted());
  },
);

interface Resource {
  list: Endpoint;
  create: Endpoint;
  update: Endpoint;
  remove: Endpoint;
  /**
   * `param` is the path parameter for the id of a record. `id` is the field of the record that contains the
   * id.
   */
  param: string;
  id?: string;
  /** The fields of new records, which match every filter. */
  made: Readonly<Record<string, string>>;
  /** The bodies of changes. After some of them, a record no longer matches a filter. */
  changes: readonly object[];
  filters: readonly Readonly<Record<string, unknown>>[];
}
const renamed = {
  param: 'id',
  made: { name: 'kept' },
  changes: [{ name: 'kept longer' }, { name: 'other' }, { description: 'West' }],
  filters: [{}, { search: 'kept' }],
};
const resources: Readonly<Record<string, Resource>> = {
  tickets: {
    ...{ list: listTickets, create: createTicket, update: updateTicket, remove: deleteTicket },
    ...{ param: 'ticketId', id: 'uniqueId', made: { subject: 'kept' } },
    changes: ticketStatuses.map((status) => ({ status })),
    filters: [{}, { status: ['open', 'in_progress', 'resolved'] }, { search: 'kept' }],
  },
  leads: {
    ...{ list: listLeads, create: createLead, update: updateLead, remove: deleteLead },
    ...{ param: 'leadId', made: { company: 'kept' } },
    changes: [{ company: 'kept longer' }, { company: 'other' }, { notes: 'Call back' }],
    filters: [{}, { company: 'kept' }, { search: 'kept' }],
  },
  merchants: {
    ...{ list: listMerchants, create: createMerchant, update: updateMerchant, remove: deleteMerchant },
    ...{ param: 'merchantId', made: { dba: 'kept', status: 'active' } },
    changes: [{ status: 'closed' }, { status: 'active' }, { dba: 'other' }],
    filters: [{}, { status: ['active', 'pending'] }, { search: 'kept' }],
  },
  teams: { ...{ list: listTeams, create: createTeam, update: updateTeam, remove: deleteTeam }, ...renamed },
  'lead sources': {
    ...{
      list: listLeadSources,
      create: createLeadSource,
      update: updateLeadSource,
      remove: deleteLeadSource,
    },
    ...renamed,
  },
};

const matches = (filter: Readonly<Record<string, unknown>>, record: Record<string, unknown>): boolean =>
  Object.entries(filter).every(([name, wanted]) =>
    name === 'search'
      ? JSON.stringify(record).includes(String(wanted))
      : [wanted].flat().includes(record[name]),
  );

const steps = fc.array(
  fc.record({ act: fc.constantFrom('change', 'change', 'remove', 'create'), at: fc.nat(), to: fc.nat() }),
  { minLength: 4, maxLength: 8 },
);

test('while records are created, changed and deleted, a list by cursor returns each record exactly once if it always matches', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(resources)),
      fc.nat(),
      fc.integer({ min: 1, max: 4 }),
      steps,
      async (name, which, pageSize, changes) => {
        const { admin } = await tenant();
        const { list, create, update, remove, param, id = 'id', ...resource } = resources[name] as Resource;
        const filter = resource.filters[which % resource.filters.length] ?? {};
        const body = { ...(exampleBody(create) as object), ...resource.made };
        const made: Record<string, unknown>[] = [];
        const add = async () => void made.push((await admin.ok(create, { body } as never)) as never);
        for (let n = 0; n < 6; n++) await add();
        const kept = new Set(made.map((record) => record.id));
        const left = [...changes];
        const change = async () => {
          const { act, at, to } = left.pop() ?? { act: 'create', at: 0, to: 0 };
          const record = made[at % made.length];
          if (act === 'create' || !record) return add();
          const params = { [param]: record[id] };
          if (act === 'remove') {
            await admin.ok(remove, { params } as never);
            made.splice(at % made.length, 1);
            return void kept.delete(record.id);
          }
          const patch = resource.changes[to % resource.changes.length];
          const changed = await admin.ok(update, { params, body: patch } as never);
          if (!matches(filter, changed as never)) kept.delete(record.id);
        };
        const ids = await readAll(admin, list, { ...filter, pageSize, change } as object);
        expect(new Set(ids).size).toBe(ids.length);
        expect([...kept].filter((one) => !ids.includes(one as number))).toEqual([]);
      },
    ),
    { numRuns: 10 * runs },
  );
});

test('updatedAfter returns exactly the leads that changed after the given time, with and without a cursor', async () => {
  const { admin } = await tenant();
  const lead = (firstName: string) => admin.ok(createLead, { body: { firstName, lastName: 'Hopper' } });
  const [changed, , deleted] = [await lead('Ada'), await lead('Grace'), await lead('Mary')];
  await new Promise((resolve) => setTimeout(resolve, 5));
  const updatedAfter = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await admin.ok(updateLead, { params: { leadId: changed.id }, body: { company: 'Harbor Street' } });
  await admin.ok(deleteLead, { params: { leadId: deleted.id } });
  const created = await lead('Jean');
  const inOrderOfChanges = await readAll(admin, listLeads, { updatedAfter, pageSize: 1 } as object);
  expect(inOrderOfChanges).toEqual([changed.id, created.id]);
  const { records } = await pageFrom(admin, listLeads, { updatedAfter });
  expect(records.map(({ id }) => id)).toEqual([created.id, changed.id]);
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
    // Excludes updates, because some calls also update the caller's rate limit counter.
    const requests = exchanges.filter(({ operation }) => operation !== 'UpdateItem').length;
    if (result.next !== null) costs.push(JSON.stringify({ requests, read }));
    cursor = result.next;
  }
  expect(costs.length).toBeGreaterThan(5);
  expect(new Set(costs).size).toBe(1);
});
