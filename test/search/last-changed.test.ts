import fc from 'fast-check';
import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import { measure } from '../costs/meter.ts';
import { clock } from '../harness/clock.ts';
import { runs } from '../harness/heavy.ts';
import { indexedLead } from '../harness/indexed-lead.ts';
import { putRange, setTotal } from '../harness/seed.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';

/** The leads of an account, older than all events: more than the list sorts in memory. */
const seeded = 650;
const firstId = 4_000_000_000_000_000;
const at = '2026-01-01T00:00:00.000Z';

async function seed({ accountId }: Tenant): Promise<void> {
  const fields = { createdAt: at, updatedAt: at, firstName: 'Ada', lastName: 'Byron' };
  await putRange(0, seeded, (n) => indexedLead(accountId, firstId + n, fields));
  await setTotal(accountId, 'LEAD', seeded);
}

const list = async ({ admin }: Tenant, query: object) => {
  const { status, body, headers } = await admin.call(listLeads, { query });
  expect(status, JSON.stringify(body)).toBe(200);
  return {
    headers,
    ...(body as unknown as { data: { id: number; updatedAt: string }[]; totalCount: number }),
  };
};

/** Walks the list by its cursor, and sorts it here: by the last change, and then newest first. */
async function expectedOrder(account: Tenant): Promise<number[]> {
  const all: { id: number; updatedAt: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof list>> = await list(account, { pageSize: 100, cursor });
    all.push(...page.data);
    cursor = (page as { nextCursor?: string | null }).nextCursor ?? null;
  }
  const byChange = all.toSorted((one, other) =>
    one.updatedAt < other.updatedAt ? 1 : one.updatedAt > other.updatedAt ? -1 : 0,
  );
  return byChange.map(({ id }) => id);
}

const acts = {
  create: ({ admin }: Tenant) => admin.ok(createLead, { body: { firstName: 'Grace', lastName: 'Hopper' } }),
  update: ({ admin }: Tenant, leadId: number, n: number) =>
    admin.ok(updateLead, { params: { leadId }, body: { company: `Harbor ${n}` } }),
  delete: ({ admin }: Tenant, leadId: number) => admin.ok(deleteLead, { params: { leadId } }),
  ticket: ({ admin }: Tenant) => newTicketOf(admin),
};
const act = fc.record({
  name: fc.constantFrom<keyof typeof acts>('create', 'update', 'update', 'update', 'delete', 'ticket'),
  lead: fc.nat(),
  /** The time before the act. The log orders changes exactly if they are more than a minute apart. */
  seconds: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 61, max: 3600 })),
});

const account = await tenant();
await seed(account);

test('sort=-updatedAt has the order of the last changes, however close they are', async () => {
  let changes = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 16 }), async (sequence) => {
      for (const { name, lead, seconds } of sequence) {
        clock.advance(seconds * 1000);
        const { data } = await list(account, { pageSize: 40 });
        await acts[name](account, data[lead % 40]?.id ?? 0, changes++);
      }
      const expected = await expectedOrder(account);
      for (const [page, pageSize] of [
        [1, 5],
        [2, 5],
        [1, 25],
        [7, 100],
      ] as const) {
        const { data, totalCount } = await list(account, { sort: '-updatedAt', page, pageSize });
        expect(totalCount).toBe(expected.length);
        expect(data.map(({ id }) => id)).toEqual(expected.slice((page - 1) * pageSize, page * pageSize));
      }
    }),
    { numRuns: 3 * runs },
  );
});

test('sort=-updatedAt covers a list of any length, at a cost that does not depend on its length', async () => {
  const { admin, accountId } = account;
  for (let n = 0; n < 30; n++) {
    clock.advance(10_000);
    await acts.update(account, firstId + 7 * n, n);
  }
  clock.advance(120_000);
  for (let n = 0; n < 5; n++) await acts.update(account, firstId + n, n);
  const query = { sort: '-updatedAt', pageSize: 25 };
  const readPage = async () => {
    await admin.ok(listLeads, { query });
    return measure(() => list(account, query));
  };
  const few = await readPage();
  await setTotal(accountId, 'LEAD', 1_000_000);
  const many = await readPage();
  expect(few.result.data[0]?.id).toBe(firstId + 4);
  expect(many.result.data).toEqual(few.result.data);
  expect(many.result.totalCount).toBe(1_000_000);
  expect(many.result.headers).not.toHaveProperty('x-list-window');
  expect(many.read).toBe(few.read);
  expect(many.read).toBeLessThanOrEqual(100);
});
