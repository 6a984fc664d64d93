import { writeFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import readLead from '../../functions/leads/read-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { tableName } from '../../shared/table/client.ts';
import { listKey, recordKey } from '../../shared/table/keys.ts';
import { measure } from '../costs/meter.ts';
import { putRange, setTotal } from '../harness/seed.ts';
import { tenant } from '../harness/tenant.ts';
import type { Row } from './rows.ts';

/** The numbers of leads. For each number, calls are measured in an account with this number of leads. */
const sizes = (process.env.BENCH_LEADS ?? '').split(',').map(Number);
const firstId = 4_000_000_000_000_000;

test('capacity units are measured', { timeout: 3_600_000 }, async () => {
  // Bulk writes are faster without a stream.
  process.env.TABLE_NAME = `${tableName()}-capacity`;
  const client = new DynamoDBClient({});
  await createTable(client, tableName(), { stream: false });
  client.destroy();
  const rows: Row[] = [];
  for (const size of sizes) {
    const { accountId, admin } = await tenant();
    const at = '2026-01-01T00:00:00.000Z';
    await putRange(0, size, (n) => {
      const id = firstId + n;
      const keys = { ...recordKey(accountId, 'LEAD', id), ...listKey(accountId, 'LEAD', id) };
      const stamps = { accountId, version: 1, createdAt: at, updatedAt: at };
      const fields = { firstName: 'Ada', lastName: `Byron ${n}`, company: 'Analytical Engines' };
      return [{ ...keys, type: 'lead', id, ...stamps, ...fields, archived: false }];
    });
    await setTotal(accountId, 'LEAD', size);
    const params = { leadId: firstId };
    const body = { firstName: 'Ada', lastName: 'Byron' };
    const query = { skipTeamAndSourceRequirement: true };
    const calls: Record<string, () => Promise<unknown>> = {
      'GET /leads/{id}': () => admin.ok(readLead, { params }),
      'GET /leads': () => admin.ok(listLeads),
      'GET /leads?search=…': () => admin.ok(listLeads, { query: { search: 'nothing' } }),
      'PATCH /leads/{id}': () => admin.ok(updateLead, { params, body: { company: 'Difference Engines' } }),
      'POST /leads': () => admin.ok(createLead, { query, body }),
    };
    // The first call of a minute also writes the caller's rate limit counter, so that call is not measured.
    await admin.ok(readLead, { params });
    for (const [route, call] of Object.entries(calls)) {
      const { read, write } = await measure(call);
      rows.push({
        part: 'capacity',
        measure: `${route} at ${size} records`,
        result: `${read} read and ${write} write units`,
      });
    }
  }
  writeFileSync(process.env.BENCH_RESULT ?? '', JSON.stringify(rows));
});
