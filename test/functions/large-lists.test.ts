import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import listLeads from '../../functions/leads/list-leads.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { tableName } from '../../shared/table/client.ts';
import { listKey, recordKey, totalShards, totalsKey } from '../../shared/table/keys.ts';
import { documents } from '../harness/documents.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

// No stream: it slows the native engine down as it grows, and these tests do not read it.
process.env.TABLE_NAME = `${tableName()}-large`;
await createTable(new DynamoDBClient({}), tableName(), { stream: false });

/** More than twice as many as a list reads. `npm run test:heavy` sets 100,000. */
const many = Number(process.env.LARGE_LEADS ?? 22_000);
const firstId = 4_000_000_000_000_000;

/** Writes leads directly to the table. The name of the `n`th is `Lead n`. */
async function seed(of: Tenant, from: number, to: number): Promise<void> {
  const account = of.accountId;
  const items = Array.from({ length: to - from }, (_, offset) => {
    const id = firstId + from + offset;
    const at = '2026-01-01T00:00:00.000Z';
    const record = {
      id,
      accountId: account,
      version: 1,
      createdAt: at,
      updatedAt: at,
      firstName: 'Lead',
      lastName: String(id - firstId),
    };
    return {
      ...recordKey(account, 'LEAD', id),
      ...listKey(account, 'LEAD', id),
      type: 'lead',
      ...record,
      archived: false,
    };
  });
  const batches = Array.from({ length: Math.ceil(items.length / 25) }, (_, n) =>
    items.slice(n * 25, n * 25 + 25),
  );
  const writers = Array.from({ length: 8 }, async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      await documents.send(new BatchWriteCommand({ RequestItems: { [tableName()]: requests } }));
    }
  });
  await Promise.all(writers);
  const shards = Array.from({ length: totalShards }, (_, shard) => ({
    ...totalsKey(account, shard),
    LEAD: shard === 3 ? to : 0,
  }));
  await Promise.all(shards.map((Item) => documents.send(new PutCommand({ TableName: tableName(), Item }))));
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
    await seed(small, 0, 100);
    await seed(large, 0, many);
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
