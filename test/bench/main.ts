import '../../infra/quiet-sdk.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endBundler } from '../../infra/build/build.ts';
import { root } from '../../infra/build/endpoints.ts';
import { chartOf } from './chart.ts';
import { measureColdStarts } from './cold-start.ts';
import { measureEvents } from './events.ts';
import {
  type BenchTable,
  benchFolder,
  buildPrograms,
  createBenchTable,
  stopEngine,
} from './function-programs.ts';
import { measureGrowth, measureThroughput } from './local-service.ts';
import { markdownOf, type Row } from './rows.ts';
import { measureWarmCalls } from './warm-calls.ts';
import { measureWebhooks } from './webhook-sender.ts';

/** `npm run bench`: see test/bench/README.md. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, 'write-costs': { type: 'boolean', default: false } },
});
const { quick } = values;

/** Runs a file with vitest and the setup of the cost tests. Its output is shown only if it fails. */
async function runInHarness(file: string, env: Record<string, string> = {}): Promise<void> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--config', 'test/costs/vitest.config.ts', file];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${file} failed:\n${output}`);
}

async function measureCapacity(): Promise<Row[]> {
  const result = join(root, benchFolder, 'capacity.json');
  const leads = quick ? '100,1000' : '1000,100000';
  await runInHarness('test/bench/capacity.ts', { BENCH_LEADS: leads, BENCH_RESULT: result });
  const rows = JSON.parse(readFileSync(result, 'utf8')) as Row[];
  rmSync(result);
  return rows;
}

async function withTable(name: string, measure: (table: BenchTable) => Promise<Row[]>): Promise<Row[]> {
  await buildPrograms();
  const table = await createBenchTable(name);
  return measure(table).finally(table.remove);
}

const parts = {
  functions: () =>
    withTable('bench-functions', async (table) => [
      ...(await measureColdStarts(table, quick ? 15 : 61)),
      ...(await measureWarmCalls(table, {
        warmUp: quick ? 300 : 2000,
        batches: quick ? 5 : 25,
        batch: quick ? 50 : 100,
      })),
    ]),
  events: async () => {
    await buildPrograms();
    return measureEvents(quick ? 200 : 1000);
  },
  service: () =>
    withTable('bench-service', (table) => measureThroughput(table, quick ? 1 : 5, quick ? 2 : 5)),
  growth: async () => (quick ? [notMeasured('npm start', 'growth')] : measureGrowth([1000, 20_000])),
  webhooks: () => measureWebhooks(quick ? 5000 : 30_000),
  capacity: measureCapacity,
} satisfies Record<string, () => Promise<Row[]>>;

const notMeasured = (part: string, measure: string): Row => ({
  part,
  measure,
  result: 'not measured with --quick',
});

const names = Object.keys(parts).filter((name) => positionals.length === 0 || positionals.includes(name));
mkdirSync(join(root, benchFolder), { recursive: true });
if (values['write-costs'])
  await runInHarness('test/bench/call-times.ts', { FULL_SCRYPT: '1', FULL_SIGNATURE: '1' });
else {
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (!names.includes(name)) continue;
    console.error(`Measuring: ${name}`);
    rows.push(...(await measure()));
  }
  await stopEngine();
  await endBundler();
  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}`;
  const markdown = markdownOf(rows, `${machine}${quick ? ', with --quick' : ''}`);
  writeFileSync(join(root, benchFolder, 'bench.md'), markdown);
  writeFileSync(join(root, benchFolder, 'bench.svg'), chartOf(rows, machine));
  console.log(`${markdown}\nAlso in ${benchFolder}/bench.md and bench.svg.`);
}
process.exit();
