import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import completeFile from '../../functions/residual-files/complete-residual-file.ts';
import readFile from '../../functions/residual-files/read-residual-file.ts';
import createResidualRun from '../../functions/residual-runs/create-residual-run.ts';
import readResidualRun from '../../functions/residual-runs/read-residual-run.ts';
import { measureUnits } from '../costs/meter.ts';
import { drain } from '../harness/drain.ts';
import { residualRows as rows } from '../harness/heavy.ts';
import { inOneFile } from '../harness/in-one-file.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';
import { fees, largeRows } from './large-rows.ts';
import { plainFormat } from './plain-format.ts';
import { agree, previewed, userOf } from './posted.ts';
import { formatted, uploaded } from './residual-files.ts';
import { writeWorkbook } from './write-workbook.ts';

const format = plainFormat(...fees);
const file = writeWorkbook([{ name: 'Residuals', rows: largeRows(rows) }]);

/** The most memory of the functions, in MB. */
const mostMemory = 512;

/** Runs a program with a bounded heap, and returns what it prints. */
function runAlone<T>(program: string, ...args: readonly string[]): T {
  const heap = `--max-old-space-size=${mostMemory - 128}`;
  return JSON.parse(String(execFileSync(process.execPath, [heap, program, ...args]))) as T;
}

test('a file with 60 fees costs at most 1.5 write units for each row, and its run at most a tenth, with at most 512 MB', async () => {
  const owner = await tenant();
  await formatted(owner, format);
  const { id } = await uploaded(owner, file);
  const params = { id };
  const { write } = await measureUnits(async () => {
    await owner.admin.ok(completeFile, { params, body: {} });
    await drain();
  });
  expect(await owner.admin.ok(readFile, { params })).toMatchObject({ state: 'read', rows, problemCount: 0 });
  // The events, their consumers and the job cost about 100 units for each file.
  expect(write).toBeLessThan(100 + 1.5 * rows);
  const [agent, lead] = [await member(owner, []), await member(owner, [])];
  const overrides = [{ beneficiary: userOf(lead), basisPoints: 1_000 }];
  await agree(owner.admin, { beneficiary: userOf(agent), overrides });
  let lines = 0;
  const run = await measureUnits(async () => {
    const { parts } = await previewed(owner.admin);
    lines = parts[0]?.lines ?? 0;
  });
  expect(lines).toBe(2 * rows);
  expect(run.write).toBeLessThan(100 + rows / 10);
  expect(write + run.write).toBeLessThan(25_000);
  // The same calculation in a process of its own.
  const { id: again } = await owner.admin.ok(createResidualRun, { body: { month: '2026-10' } });
  const program = await inOneFile('test/residuals/calculate-alone.ts');
  expect(runAlone<{ memory: number }>(program, owner.accountId).memory).toBeLessThan(mostMemory);
  const { state, parts } = await owner.admin.ok(readResidualRun, { params: { id: again } });
  expect([state, parts[0]?.lines]).toEqual(['preview', lines]);
}, 300_000);

test('a file with 60 fees is read with at most 512 MB', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'residuals-'));
  const path = join(folder, 'residuals.xlsx');
  try {
    writeFileSync(path, file);
    const program = await inOneFile('test/residuals/read-alone.ts');
    const found = runAlone<{ rows: number; memory: number }>(program, path, JSON.stringify(format));
    expect(found).toMatchObject({ rows });
    expect(found.memory).toBeLessThan(mostMemory);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 300_000);
