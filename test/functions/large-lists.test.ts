import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import listLeads from '../../functions/leads/list-leads.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { tableName } from '../../shared/table/client.ts';
import { listKey, recordKey } from '../../shared/table/keys.ts';
import { putRange, setTotal } from '../harness/seed.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

// No stream: it slows the native engine down as it grows, and these tests do not read it.
process.env.TABLE_NAME = `${tableName()}-large`;
await createTable(new DynamoDBClient({}), tableName(), { stream: false });

/** More than twice as many as a list reads. `npm run test:heavy` sets 100,000. */
const many = Number(process.env.LARGE_LEADS ?? 22_000);
const firstId = 4_000_000_000_000_000;

/** Writes leads directly to the table. The name of the `n`th is `Lead n`. */
async function seed({ accountId }: Tenant, count: number): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  await putRange(0, count, (n) => {
    const id = firstId + n;
    const name = { firstName: 'Lead', lastName: String(n) };
    const stamps = { accountId, version: 1, createdAt: at, updatedAt: at };
    const keys = { ...recordKey(accountId, 'LEAD', id), ...listKey(accountId, 'LEAD', id) };
    return [{ ...keys, type: 'lead', id, ...stamps, ...name, archived: false }];
  });
  await setTotal(accountId, 'LEAD', count);
}

/** Runs an endpoint. Returns the number of requests to the table and of items in the responses. */
async function readsOf(runEndpoint: () => Promise<unknown>): Promise<{ requests: number; items: number }> {
  const reads = { requests: 0, items: 0 };
  const stop = watchWire({
    done({ operation, output }) {
      // The first call in a minute also writes the caller's counter.
      if (operation === 'UpdateItem') return;
      const { Items, Responses } = output as { Items?: unknown[]; Responses?: Record<string, unknown[]> };
      reads.requests += 1;
      reads.items += (Items?.length ?? 0) + Object.values(Responses ?? {}).flat().length;
    },
  });
  await runEndpoint();
  stop();
  return reads;
}

describe('a large number of leads', () => {
  let small: Tenant;
  let large: Tenant;

  beforeAll(async () => {
    [small, large] = [await tenant(), await tenant()];
    await seed(small, 100);
    await seed(large, many);
  });

  test('a large number of leads costs a default list as many reads as 100 leads', async () => {
    for (const query of [{}, { page: 2 }, { pageSize: 50 }, { sort: '-createdAt' }]) {
      await Promise.all([small, large].map(({ admin }) => admin.ok(listLeads, { query })));
      const few = await readsOf(() => small.admin.ok(listLeads, { query }));
      const more = await readsOf(() => large.admin.ok(listLeads, { query }));
      expect(more, JSON.stringify(query)).toEqual(few);
      // Three in parallel: the caller with its permissions, the page, the totals.
      expect(more.requests).toBe(3);
    }
    const page = await large.admin.ok(listLeads);
    expect([page.totalCount, page.data[0]?.lastName, page.data.length]).toEqual([many, String(many - 1), 25]);
  });

  test('a large number of leads is filtered within the newest 10,000, and the header x-list-window contains that number', async () => {
    const all = await large.admin.call(listLeads, { query: { archived: false, pageSize: 1 } });
    expect([all.headers['x-list-window'], all.body.totalCount]).toEqual(['10000', 10_000]);
    const inside = await large.admin.ok(listLeads, { query: { search: String(many - 10_000) } });
    expect(inside.data.map(({ lastName }) => lastName)).toEqual([String(many - 10_000)]);
    const outside = await large.admin.ok(listLeads, { query: { search: String(many - 10_001) } });
    expect(outside.totalCount).toBe(0);
    const few = await small.admin.call(listLeads, { query: { archived: false } });
    expect(few.headers['x-list-window']).toBeUndefined();
  });
});
