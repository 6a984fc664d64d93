import '../../infra/quiet-sdk.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endBundler } from '../../infra/build/build.ts';
import { root } from '../../infra/build/endpoints.ts';
import { measureCalls } from './calls.ts';
import { measureColdStarts } from './cold-start.ts';
import { measureCreation } from './creation.ts';
import { type BenchTable, benchFolder, createBenchTable, stopEngine } from './function-programs.ts';
import { measureCreations, measureReads } from './growth.ts';
import { measureIncomingMail } from './incoming-mail.ts';
import { measureResiduals } from './residuals.ts';
import { markdownOf, type Row } from './rows.ts';

/** `npm run bench`: see test/bench/README.md. */
const {
  values: { quick },
  positionals,
} = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } });

async function withTable(name: string, measure: (table: BenchTable) => Promise<Row[]>): Promise<Row[]> {
  const table = await createBenchTable(name);
  return measure(table).finally(table.remove);
}

const parts: Record<string, () => Promise<Row[]>> = {
  starts: () => withTable('bench-starts', (table) => measureColdStarts(table, quick ? 15 : 61)),
  calls: () =>
    withTable('bench-calls', (table) =>
      measureCalls(table, {
        warmUp: quick ? 300 : 2000,
        batches: quick ? 5 : 25,
        batch: quick ? 50 : 100,
      }),
    ),
  growth: async () =>
    quick
      ? measureReads([1000, 3000], 3, 20)
      : [
          ...(await measureReads([1000, 100_000], 9, 50)),
          ...(await measureCreations([1000, 20_000, 100_000])),
        ],
  creation: () => (quick ? measureCreation(200, 300, 5) : measureCreation(2000, 10_000, 60)),
  // An account opens 600 tickets for mails in an hour. Further mails are quarantined.
  mail: () => measureIncomingMail(quick ? 10 : 19),
  residuals: () => measureResiduals(quick ? 1000 : 10_000),
};

const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`Measuring: ${name}`);
  rows.push(...(await measure()));
}
await stopEngine();
await endBundler();
const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}`;
const markdown = markdownOf(rows, `${machine}${quick ? ', with --quick' : ''}`);
mkdirSync(join(root, benchFolder), { recursive: true });
writeFileSync(join(root, benchFolder, 'bench.md'), markdown);
console.log(`${markdown}\nAlso in ${benchFolder}/bench.md.`);
process.exit();
