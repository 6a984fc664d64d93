import { expect, test } from 'vitest';
import createTicket from '../../functions/tickets/create-ticket.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { priorities } from '../../shared/sla/schema.ts';
import { measure } from '../costs/meter.ts';
import { drain } from '../harness/drain.ts';
import { tenant } from '../harness/tenant.ts';
import { exampleBody } from '../routes/records.ts';

const { admin } = await tenant();
const list = (query: object) => admin.ok(listTickets, { query });

async function create(from: number, to: number): Promise<string[]> {
  const created: string[] = [];
  for (let n = from; n < to; n++) {
    const body = {
      ...(exampleBody(createTicket) as object),
      priority: priorities[((n * 7) % 11) % priorities.length],
    };
    created.push((await admin.ok(createTicket, { body: body as never })).uniqueId);
  }
  return created;
}

/** Walks the pages of a list, and returns the records in their order. */
async function pagesOf(query: object) {
  const found: Awaited<ReturnType<typeof list>>['data'] = [];
  for (let page = 1; ; page++) {
    const { data, totalCount } = await list({ ...query, page });
    found.push(...data);
    if (data.length === 0 || found.length >= totalCount) return found;
  }
}

/** The order that the API promises: by the place of the value in the schema, then newest first. */
async function expectOrder(): Promise<void> {
  const all = (await list({ pageSize: 100 })).data;
  const rank = ({ priority }: (typeof all)[number]) => priorities.indexOf(priority);
  for (const [sort, sign] of [
    ['priority', 1],
    ['-priority', -1],
  ] as const)
    for (const pageSize of [7, 100]) {
      const expected = all.toSorted((one, other) => sign * (rank(one) - rank(other)));
      const found = await pagesOf({ sort, pageSize });
      expect(
        found.map(({ uniqueId }) => uniqueId),
        `${sort} ${pageSize}`,
      ).toEqual(expected.map(({ uniqueId }) => uniqueId));
    }
}

test('tickets are sorted by priority at a cost that does not depend on their number, also after changes that the index lacks', async () => {
  const first = await create(0, 80);
  await drain();
  await expectOrder();
  const costOf = async () => {
    await list({ sort: 'priority' });
    return measure(() => list({ sort: 'priority' }));
  };
  const few = await costOf();
  await create(80, 90);
  // The index does not contain the newest tickets yet.
  await expectOrder();
  await create(90, 99);
  await drain();
  await expectOrder();
  const many = await costOf();
  expect(few.result.totalCount).toBe(80);
  expect(many.result.totalCount).toBe(99);
  expect(many.read).toBeLessThanOrEqual(60);
  // Those of the newest ten tickets that are on the page are not read again.
  expect(many.read - few.read).toBeLessThanOrEqual(10);
  expect(many.sequence).toBeLessThanOrEqual(3);
  await admin.ok(updateTicket, { params: { ticketId: first[3] ?? '' }, body: { priority: 'urgent' } });
  await admin.ok(deleteTicket, { params: { ticketId: first[5] ?? '' } });
  await drain();
  await expectOrder();
});
