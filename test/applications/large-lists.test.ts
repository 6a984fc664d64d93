import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { tableName } from '../../shared/table/client.ts';
import type { Item } from '../../shared/table/item.ts';
import { listKey, recordKey, summaryKey } from '../../shared/table/keys.ts';
import { measure } from '../costs/meter.ts';
import { filledApplication } from '../harness/filled-application.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { scanTable } from '../harness/raw-table.ts';
import { putRange, setTotal } from '../harness/seed.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

/** The number of applications, 8 KB each. Default 500; `npm run test:extra -- heavy` tests 10,000 (90 MB of data). */
const count = Number(process.env.LARGE_APPLICATIONS ?? 500);
const mebibyte = 1024 * 1024;

// This table has no stream, because these tests do not read it and a growing stream slows down the native engine.
process.env.TABLE_NAME = `${tableName()}-applications`;
await createTable(new DynamoDBClient({}), tableName(), { stream: false });

const body = {
  ...filledApplication,
  system: { ...filledApplication.system, applicationLog: 'Called the merchant. '.repeat(250) },
};

/** Fills an account with copies of one application. Every tenth copy has the `dbaCity` 'Tenth'. */
async function seed({ accountId, admin }: Tenant, amount: number): Promise<void> {
  const { id: first } = await admin.ok(createApplication, { body });
  const items = (await scanTable()).filter(({ pk }) => pk === recordKey(accountId, 'APPLICATION', first).pk);
  const [record, summary] = ['RECORD', 'SUMMARY'].map(
    (sk) => items.find((item) => item.sk === sk) ?? expect.fail(`no ${sk}`),
  ) as [Item, Item];
  expect(Buffer.byteLength(JSON.stringify(record))).toBeGreaterThan(8000);
  const copies = (n: number): Item[] => {
    const [id, listId] = [`${first}-${n}`, 4_000_000_000_000_000 + n];
    const dbaCity = n % 10 === 0 ? 'Tenth' : 'Other';
    return [
      { ...record, ...recordKey(accountId, 'APPLICATION', id), id, listId },
      {
        ...summary,
        ...summaryKey(accountId, 'APPLICATION', id),
        ...listKey(accountId, 'APPLICATION', listId),
        id,
        dbaCity,
      },
    ];
  };
  await putRange(1, amount, copies);
  await setTotal(accountId, 'APPLICATION', amount);
}

describe(`${count} applications of 8 KB`, { timeout: 600_000 }, () => {
  let few: Tenant;
  let many: Tenant;
  beforeAll(async () => {
    [few, many] = [await tenant(), await tenant()];
    await seed(few, 100);
    await seed(many, count);
  }, 600_000);

  /** Lists applications. Returns the response, its cost, and the bytes read. */
  const list = async ({ admin }: Tenant, query: object) => {
    const measured = await measure(() => admin.call(listApplications, { query }));
    const items = measured.exchanges.flatMap(({ output }) => (output.Items ?? []) as object[]);
    const { result, read, requests, sequence } = measured;
    return {
      result,
      cost: { read, requests, sequence, items: items.length },
      bytes: JSON.stringify(items).length,
    };
  };

  test(`${count} applications of 8 KB are filtered and sorted without an index by reading at most 2 KB per application`, async () => {
    const views: [object, number][] = [
      // The event log does not contain this time.
      [{ updatedAfter: '2020-01-01T00:00:00.000Z', pageSize: 100 }, 1],
      [{ assignedTo: 'inactive' }, 0],
      [{ sort: '-dbaName' }, 1],
    ];
    for (const [query, share] of views) {
      const { result, bytes } = await list(many, query);
      expect([result.status, result.headers['x-list-window']], JSON.stringify(query)).toEqual([
        200,
        undefined,
      ]);
      expect(Math.abs(result.body.totalCount - count * share)).toBeLessThanOrEqual(1);
      expect(bytes).toBeGreaterThan(count * 400);
      expect(bytes).toBeLessThan((20 * mebibyte * count) / 10_000);
    }
  });

  test(`${count} applications of 8 KB are listed at the same cost as 100`, async () => {
    for (const query of [{}, { page: 2 }, { pageSize: 50 }]) {
      await inQuietMinute(() => Promise.all([few, many].map(({ admin }) => admin.ok(listApplications))));
      await list(few, query);
      await list(many, query);
      const [small, large] = [await list(few, query), await list(many, query)];
      expect(large.cost, JSON.stringify(query)).toEqual(small.cost);
      expect(large.result.body.totalCount).toBe(count);
    }
  });
});
