import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import countViews from '../../functions/views/count-views.ts';
import createView from '../../functions/views/create-view.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { tableName } from '../../shared/table/client.ts';
import { indexItem, readEntry } from '../../shared/table/index-items.ts';
import type { Item } from '../../shared/table/item.ts';
import { listKey, recordKey } from '../../shared/table/keys.ts';
import { measure } from '../costs/meter.ts';
import { putRange } from '../harness/seed.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';

// This table has no stream, because these tests do not need one and a growing stream slows down the engine.
process.env.TABLE_NAME = `${tableName()}-counts`;
await createTable(new DynamoDBClient({}), tableName(), { stream: false });
const firstId = 4_000_000_000_000_000;
const viewOf = async (by: Client, query: object): Promise<number> => {
  const body = { resource: 'lead', name: 'A view', query: { ...query }, sharedWith: 'me' } as const;
  return (await by.ok(createView, { body })).id;
};
const at = '2026-01-01T00:00:00.000Z';

/** Writes leads with their index items. `fieldsOf` returns the fields of the `n`th lead. */
async function seed({ accountId }: Tenant, amount: number, fieldsOf: (n: number) => object): Promise<void> {
  await putRange(0, amount, (n): Item[] => {
    const id = firstId + n;
    const lead: Item = {
      ...recordKey(accountId, 'LEAD', id),
      ...listKey(accountId, 'LEAD', id),
      ...{ type: 'lead', id, accountId, version: 1, createdAt: at, updatedAt: at, archived: false },
      ...{ firstName: 'Ada', lastName: 'Byron', ...fieldsOf(n) },
    };
    const indexed = { account: accountId, noun: 'LEAD', id, order: id } as const;
    return [lead, ...[...leads.indexEntries(lead)].map((name) => indexItem(indexed, readEntry(name)))];
  });
}

test('counts of views are exact up to 1,000 matches, and then 1000+', async () => {
  const acme = await tenant();
  const stageOf = (n: number) => (n < 90 ? 'new' : n < 1090 ? 'won' : 'lost');
  await seed(acme, 2091, (n) => ({ processStage: stageOf(n), ...(n % 100 === 0 && { source: 'Fair' }) }));
  const views = await Promise.all(
    [
      { processStage: 'new' },
      { processStage: 'won' },
      { processStage: 'lost' },
      { source: 'Fair' },
      { source: 'Fair', processStage: 'new' },
      { search: 'byron' },
      { archived: false },
    ].map((query) => viewOf(acme.admin, query)),
  );
  const { sequence, read, result } = await measure(() => acme.admin.ok(countViews));
  const counts = new Map(result.data.map(({ id, count }) => [id, count]));
  expect(views.map((id) => counts.get(id))).toEqual([90, 1000, '1000+', 21, 1, '1000+', '1000+']);
  expect(sequence).toBe(2);
  expect(read).toBeLessThan(700);
});

test('counts of views are lower bounds if filters that the index cannot apply have more than 1,000 records to compare', async () => {
  const acme = await tenant();
  await seed(acme, 1200, (n) => ({ updatedAt: n % 2 === 0 ? '2026-02-01T00:00:00.000Z' : at }));
  const id = await viewOf(acme.admin, { updatedAfter: '2026-01-15' });
  const { data } = await acme.admin.ok(countViews);
  expect(data.find((view) => view.id === id)?.count).toBe('500+');
});
