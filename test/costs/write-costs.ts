import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { measureEveryEndpoint } from './every-endpoint.ts';
import { writeTable } from './table.ts';
import { writeCostPage } from './write-cost-page.ts';

/** `npm run costs`: on the suite's harness, and so by its runner. */
test('the table of costs is written', { timeout: 300_000 }, async () => {
  const table = writeTable(await measureEveryEndpoint());
  writeFileSync(join(root, 'test', 'costs.md'), table);
  await writeCostPage();
  process.stdout.write(table);
});
