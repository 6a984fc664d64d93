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

/** The number of leads with notes of 60 KB. `npm run test:heavy` sets 10,000, which is 600 MB. */
const count = Number(process.env.HEAVY_LEADS ?? 250);
const notes = 'Long notes. '.repeat(5000);
const mebibyte = 1024 * 1024;

// No stream: it slows the native engine down as it grows, and these tests do not read it.
process.env.TABLE_NAME = `${tableName()}-heavy`;
await createTable(new DynamoDBClient({}), tableName(), { stream: false });

const firstId = 4_000_000_000_000_000;

/** Writes leads directly to the table, the newest last. Every tenth has the first name Tenth. */
async function seed({ accountId }: Tenant): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  await putRange(0, count, (n) => {
    const id = firstId + n;
    const name = { firstName: n % 10 === 0 ? 'Tenth' : 'Lead', lastName: String(n) };
    const stamps = { accountId, version: 1, createdAt: at, updatedAt: at };
    const keys = { ...recordKey(accountId, 'LEAD', id), ...listKey(accountId, 'LEAD', id) };
    return [{ ...keys, type: 'lead', id, ...stamps, ...name, archived: false, notes }];
  });
  await setTotal(accountId, 'LEAD', count);
}

/** Runs an endpoint. Returns its response, and the bytes and requests of its list reads. */
async function readsOf<A>(
  runEndpoint: () => Promise<A>,
): Promise<{ response: A; bytes: number; requests: number }> {
  const reads = { bytes: 0, requests: 0 };
  const stop = watchWire({
    done({ output }) {
      const { Items = [], Count } = output as { Items?: Attributes[]; Count?: number };
      if (Count === undefined) return;
      reads.requests += 1;
      reads.bytes += Items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(itemOf(item))), 0);
    },
  });
  try {
    return { response: await runEndpoint(), ...reads };
  } finally {
    stop();
  }
}

describe(`${count} leads with notes of 60 KB`, { timeout: 600_000 }, () => {
  let acme: Tenant;
  beforeAll(async () => {
    acme = await tenant();
    await seed(acme);
  }, 900_000);
  const list = (query: object) => readsOf(() => acme.admin.call(listLeads, { query: { ...query } }));

  test(`${count} leads with notes of 60 KB are searched, filtered and sorted within the newest 8 MB, and each response contains their number`, async () => {
    const views: [object, number][] = [
      [{ search: 'long notes' }, 1],
      [{ search: 'nothing at all' }, 0],
      [{ archived: false }, 1],
      [{ sort: 'lastName' }, 1],
      [{ search: 'tenth', archived: false, sort: '-firstName' }, 0.1],
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

  test(`${count} leads with notes of 60 KB are listed with the first 500 characters of their notes, and only GET of one lead returns all`, async () => {
    for (const query of [{}, { pageSize: 100 }, { archived: false }, { search: 'Lead' }]) {
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

  test(`${count} leads with notes of 60 KB are paged within the newest 8 MB only`, async () => {
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

  test(`${count} leads with notes of 60 KB are not read any further after the deadline`, async () => {
    const partition = listPartition(acme.accountId, 'LEAD');
    const { response, requests } = await readsOf(() =>
      queryWithin({ partition, index: 'list', newestFirst: true }, { until: Date.now() }),
    );
    expect([requests, response.cut]).toEqual([1, 'time']);
    expect(response.items.length).toBeGreaterThan(0);
  });
});
