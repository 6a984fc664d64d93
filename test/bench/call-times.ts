import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { test } from 'vitest';
import { createTable } from '../../infra/local/create-table.ts';
import { type Cost, type Costs, measureEveryEndpoint } from '../costs/every-endpoint.ts';
import { writeTable } from '../costs/table.ts';
import { costTable, writeCostPage } from '../costs/write-cost-page.ts';
import { clock } from '../harness/clock.ts';
import { median } from './rows.ts';

/**
 * The number of rounds that measure the CPU time of each call and each event, for the column `ms` of
 * test/costs.md. Each round uses a new table. The first of all rounds is an additional round, which is not counted,
 * because V8 compiles the code in this round.
 */
const rounds = 9;

test('CPU times are written to the cost table', { timeout: 3_600_000 }, async () => {
  const client = new DynamoDBClient({});
  const table = process.env.TABLE_NAME;
  const times = new Map<string, number[]>();
  let measured: Pick<Costs, 'calls' | 'events'> = { calls: [], events: [] };
  for (let round = 0; round <= rounds; round++) {
    clock.reset();
    process.env.TABLE_NAME = `${table}-${round}`;
    await createTable(client, process.env.TABLE_NAME);
    measured = await measureEveryEndpoint();
    process.stdout.write(`Round ${round} of ${rounds}\n`);
    if (round === 0) continue;
    for (const { of, milliseconds } of [...measured.calls, ...measured.events])
      times.set(of, [...(times.get(of) ?? []), milliseconds]);
  }
  client.destroy();
  const today = new Date().toISOString().slice(0, 10);
  const timed = `${rounds} times on ${today} by Node ${process.versions.node} on ${cpus()[0]?.model}`;
  const withTime = (cost: Cost) => ({ ...cost, milliseconds: median(times.get(cost.of) ?? []) });
  const [calls, events] = [measured.calls.map(withTime), measured.events.map(withTime)];
  writeFileSync(costTable, writeTable({ calls, events }, timed));
  await writeCostPage();
});
