import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { type Cost, measureEveryEndpoint } from './every-endpoint.ts';
import { readTable, timedBy, writeTable } from './table.ts';
import { costTable, writeCostPage } from './write-cost-page.ts';

/** `npm run costs` uses vitest, because the measurement requires the test harness. */
test('the table of costs is written', { timeout: 300_000 }, async () => {
  const before = readFileSync(costTable, 'utf8');
  const lines = readTable(before);
  const withTime = (cost: Cost) => ({
    ...cost,
    milliseconds: lines.get(cost.of)?.milliseconds ?? cost.milliseconds,
  });
  const { calls, events } = await measureEveryEndpoint();
  const table = writeTable({ calls: calls.map(withTime), events: events.map(withTime) }, timedBy(before));
  writeFileSync(costTable, table);
  await writeCostPage();
  process.stdout.write(table);
});
