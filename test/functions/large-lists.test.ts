import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import listLeads from '../../functions/leads/list-leads.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { type Attributes, itemOf } from '../../shared/table/attributes.ts';
import { tableName } from '../../shared/table/client.ts';
import { listKey, listPartition, recordKey } from '../../shared/table/keys.ts';
import { queryWithin } from '../../shared/table/read.ts';
import { putRange, setTotal } from '../harness/seed.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

// This table has no stream, because these tests do not need one and a growing stream slows down the engine.
process.env.TABLE_NAME = `${tableName()}-large`;
await createTable(new DynamoDBClient({}), tableName(), { stream: false });

/** The number of leads, more than the 10,000 that a filtered list reads. `npm run test:extra -- heavy` sets 100,000. */
const many = Number(process.env.LARGE_LEADS ?? 11_500);
/** The number of leads with notes of 60 KB. `npm run test:extra -- heavy` sets 10,000, which is 600 MB. */
const count = Number(process.env.HEAVY_LEADS ?? 250);
const notes = 'Long notes. '.repeat(5000);
const mebibyte = 1024 * 1024;
const firstId = 4_000_000_000_000_000;
/** Matches leads that were seeded with `changed`. No index applies this filter, because its time is before the event log. */
const changedLeads = { updatedAfter: '2020-01-15T00:00:00.000Z' };
const changed = { updatedAt: '2020-02-01T00:00:00.000Z' };
const everyLead = { updatedAfter: '2019-01-01T00:00:00.000Z' };

/** Writes leads directly to the table, the newest last. The `n`th lead is named `Lead n`. */
async function seed({ accountId }: Tenant, amount: number, fieldsOf?: (n: number) => object): Promise<void> {
  const at = '2020-01-01T00:00:00.000Z';
  await putRange(0, amount, (n) => {
    const id = firstId + n;
    const name = { firstName: 'Lead', lastName: String(n) };
    const stamps = { accountId, version: 1, createdAt: at, updatedAt: at };
    const keys = { ...recordKey(accountId, 'LEAD', id), ...listKey(accountId, 'LEAD', id) };
    return [{ ...keys, type: 'lead', id, ...stamps, ...name, archived: false, ...fieldsOf?.(n) }];
  });
  await setTotal(accountId, 'LEAD', amount);
}

/** Runs an endpoint. Returns the response, the number of reads and items, and the number of bytes that lists read. */
async function readsOf<A>(runEndpoint: () => Promise<A>) {
  const [reads, lists] = [
    { requests: 0, items: 0 },
    { requests: 0, bytes: 0 },
  ];
  const stop = watchWire({
    done({ operation, output }) {
      // Skips the update of the caller's counter, which not every call makes.
      if (operation === 'UpdateItem') return;
      const {
        Items = [],
        Count,
        Responses = {},
      } = output as {
        Items?: Attributes[];
        Count?: number;
        Responses?: Record<string, unknown[]>;
      };
      reads.requests += 1;
      reads.items += Items.length + Object.values(Responses).flat().length;
      if (Count === undefined) return;
      lists.requests += 1;
      lists.bytes += Items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(itemOf(item))), 0);
    },
  });
  try {
    return { response: await runEndpoint(), reads, ...lists };
  } finally {
    stop();
  }
}

/** Reads a filtered list to its end by cursor. Returns the leads, and the number of leads on each page. */
async function readByCursor({ admin }: Tenant, filter: object) {
  const names: number[] = [];
  const pages: number[] = [];
  for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
    const page: { data: { lastName: string }[]; nextCursor?: string | null } = await admin.ok(listLeads, {
      query: { ...filter, pageSize: 100, cursor },
    });
    names.push(...page.data.map(({ lastName }) => Number(lastName)));
    pages.push(page.data.length);
    cursor = page.nextCursor;
  }
  return { names, pages };
}

describe('a large number of leads', () => {
  let small: Tenant;
  let large: Tenant;

  beforeAll(async () => {
    [small, large] = [await tenant(), await tenant()];
    await seed(small, 100);
    await seed(large, many, (n) => (String(n).startsWith('77') ? changed : {}));
  });

  test('the default list of a large number of leads needs as many reads as a list of 100 leads', async () => {
    for (const query of [{}, { page: 2 }, { pageSize: 50 }, { sort: '-createdAt' }, { sort: 'createdAt' }]) {
      await Promise.all([small, large].map(({ admin }) => admin.ok(listLeads, { query })));
      const { reads: few } = await readsOf(() => small.admin.ok(listLeads, { query }));
      const { reads: more } = await readsOf(() => large.admin.ok(listLeads, { query }));
      expect(more, JSON.stringify(query)).toEqual(few);
      // Three parallel requests read the caller with its permissions, the page, and the totals.
      expect(more.requests).toBe(3);
    }
    const page = await large.admin.ok(listLeads);
    expect([page.totalCount, page.data[0]?.lastName, page.data.length]).toEqual([many, String(many - 1), 25]);
  });

  test('the oldest of a large number of leads come first with sort=createdAt', async () => {
    const query = { sort: 'createdAt', pageSize: 10, page: 3 };
    const { headers, body } = await large.admin.call(listLeads, { query });
    expect([headers['x-list-window'], body.totalCount]).toEqual([undefined, many]);
    expect(body.data.map(({ lastName }) => Number(lastName))).toEqual(
      Array.from({ length: 10 }, (_, n) => 20 + n),
    );
  });

  test('without an index, only the newest 10,000 of a large number of leads are filtered and sorted, and the header x-list-window contains this limit', async () => {
    for (const query of [everyLead, { sort: 'firstName' }]) {
      const all = await large.admin.call(listLeads, { query: { ...query, pageSize: 1 } });
      expect([all.headers['x-list-window'], all.body.totalCount]).toEqual(['10000', 10_000]);
      const few = await small.admin.call(listLeads, { query });
      expect(few.headers['x-list-window']).toBeUndefined();
    }
    const query = { ...everyLead, pageSize: 100, page: 100 };
    const { data } = await large.admin.ok(listLeads, { query });
    expect(data.at(-1)?.lastName).toBe(String(many - 10_000));
  });

  test('a filtered list by cursor reaches the end and returns each lead once, although each request reads at most 1,000 leads', async () => {
    const numbers = Array.from({ length: many }, (_, n) => many - 1 - n);
    const expected = numbers.filter((n) => String(n).startsWith('77'));
    const { names, pages } = await readByCursor(large, changedLeads);
    expect(names).toEqual(expected);
    expect(pages.length).toBeGreaterThanOrEqual(many / 1000);
  });
});

test('a filtered list by cursor reaches the end and returns each lead once, although each request reads at most 1 MB', async () => {
  const acme = await tenant();
  await seed(acme, 60, (n) => ({ notes, ...(n % 10 === 0 && changed) }));
  const { names, pages } = await readByCursor(acme, changedLeads);
  expect(names).toEqual([50, 40, 30, 20, 10, 0]);
  expect(pages.length).toBeGreaterThanOrEqual((60 * notes.length) / mebibyte);
});

describe(`${count} leads with notes of 60 KB`, { timeout: 600_000 }, () => {
  let acme: Tenant;
  beforeAll(async () => {
    acme = await tenant();
    await seed(acme, count, (n) => ({ notes, ...(n % 10 === 0 && changed) }));
  }, 900_000);
  const list = (query: object) => readsOf(() => acme.admin.call(listLeads, { query: { ...query } }));

  test(`only the newest 8 MB of ${count} leads with notes of 60 KB are filtered and sorted without an index, and x-list-window contains the number of these leads`, async () => {
    const views: [object, number][] = [
      [everyLead, 1],
      [{ updatedAfter: '2020-03-01T00:00:00.000Z' }, 0],
      [{ sort: 'lastName' }, 1],
      [{ ...changedLeads, sort: '-firstName' }, 0.1],
    ];
    for (const [query, share] of views) {
      const { response, bytes, requests } = await list({ ...query, pageSize: 100 });
      expect(response.status, JSON.stringify(query)).toBe(200);
      expect(bytes).toBeLessThanOrEqual(8 * mebibyte);
      expect(bytes).toBeGreaterThan(6 * mebibyte);
      expect(requests).toBeLessThanOrEqual(8);
      const window = Number(response.headers['x-list-window']);
      expect(window).toBe(Math.floor(bytes / notes.length));
      expect(Math.abs(response.body.totalCount - window * share)).toBeLessThan(1);
    }
  });

  test(`${count} leads with notes of 60 KB are listed with the first 500 characters of their notes, and only GET /leads/{leadId} returns the full notes`, async () => {
    for (const query of [{}, { pageSize: 100 }, everyLead, { sort: '-createdAt' }]) {
      const { response, bytes } = await list(query);
      expect(response.status).toBe(200);
      expect(response.body.data[0]?.lastName).toBe(String(count - 1));
      for (const lead of response.body.data) expect(lead.notes).toBe(notes.slice(0, 500));
      expect(Buffer.byteLength(JSON.stringify(response.body))).toBeLessThan(100 * 1024);
      expect(bytes).toBeLessThanOrEqual(8 * mebibyte);
    }
    const lead = await acme.admin.ok(readLead, { params: { leadId: firstId } });
    expect(lead.notes).toBe(notes);
  });

  test(`${count} leads with notes of 60 KB are paged only within the newest 8 MB`, async () => {
    const { response: deep } = await list({ page: 5 });
    expect(deep.body.data.map(({ lastName }) => Number(lastName))).toEqual(
      Array.from({ length: 25 }, (_, n) => count - 101 - n),
    );
    const { response, bytes } = await list({ page: 2, pageSize: 100 });
    expect([response.status, response.body.error]).toEqual([400, 'page_too_large']);
    expect(bytes).toBeLessThanOrEqual(8 * mebibyte);
    const { response: deeper } = await list({ page: 3, pageSize: 80 });
    expect([deeper.status, deeper.body.error]).toEqual([400, 'page_too_deep']);
  });

  test(`reading ${count} leads with notes of 60 KB stops at the deadline`, async () => {
    const partition = listPartition(acme.accountId, 'LEAD');
    const { response, requests } = await readsOf(() =>
      queryWithin({ partition, index: 'list', newestFirst: true }, { until: Date.now() }),
    );
    expect([requests, response.cut]).toEqual([1, 'time']);
    expect(response.items.length).toBeGreaterThan(0);
  });
});
