import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import completeFile from '../../functions/residual-files/complete-residual-file.ts';
import readFile from '../../functions/residual-files/read-residual-file.ts';
import { measureUnits } from '../costs/meter.ts';
import { drain } from '../harness/drain.ts';
import { residualRows as rows } from '../harness/heavy.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';
import { fees, largeRows } from './large-rows.ts';
import { plainFormat } from './plain-format.ts';
import { agree, previewed, userOf } from './posted.ts';
import { formatted, uploaded } from './residual-files.ts';
import { writeWorkbook } from './write-workbook.ts';

const format = plainFormat(...fees);
const file = writeWorkbook([{ name: 'Residuals', rows: largeRows(rows) }]);

test('a file with 60 fees costs at most 1.5 write units for each row, and its run at most a tenth', async () => {
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
}, 300_000);

test('a file with 60 fees is read with at most 512 MB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'residuals-'));
  const path = join(folder, 'residuals.xlsx');
  try {
    writeFileSync(path, file);
    const script = join(import.meta.dirname, 'read-alone.ts');
    const printed = execFileSync(process.execPath, ['--import', 'tsx', script, path, JSON.stringify(format)]);
    const found = JSON.parse(String(printed)) as { rows: number; memory: number };
    expect(found).toMatchObject({ rows });
    expect(found.memory).toBeLessThan(512);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 300_000);
