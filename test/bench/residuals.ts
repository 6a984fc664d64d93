import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../infra/build/endpoints.ts';
import { type ApiClient, apiClient } from '../../infra/operations/api-client.ts';
import { fees, largeRows } from '../residuals/large-rows.ts';
import { plainFormat } from '../residuals/plain-format.ts';
import { writeWorkbook } from '../residuals/write-workbook.ts';
import { type Service, startLocalService } from './local-service.ts';
import type { Row } from './rows.ts';

const part = 'residuals';
const month = '2026-10';
/** The state of a file or run is read this often, in milliseconds. */
const pause = 100;
/** The fields of a merchant's rate. A merchant has a rate for each day, with all of these fields. */
const rateFields = [
  ...['discountRate', 'transactionFee', 'monthlyFee', 'annualFee', 'chargebackFee', 'batchFee'],
  ...['statementFee', 'pciComplianceFee', 'agentSplit', 'isoSplit'],
];
/** The days of the rates that contain the 64 amounts of a row. */
const rateDays = Array.from({ length: Math.ceil(64 / rateFields.length) }, (_, n) => `${month}-0${n + 1}`);

/** Returns the field of a column. A merchant is named by its MID, and its rates contain the amounts, so a row is one request. */
function fieldOf(column: number): string {
  if (column < 2) return column === 0 ? 'merchantName' : 'dba';
  const amount = column - 2;
  return `rates.${Math.floor(amount / rateFields.length)}.${rateFields[amount % rateFields.length]}`;
}

type Rows = ReturnType<typeof largeRows>;

/**
 * Measures the time from the request to upload a file until the preview of its month is ready for approval, in `npm start`. Then
 * measures `npm run ops -- records import` with the same cells. The ratio is the time of the import, divided by that of the
 * file.
 */
export async function measureResiduals(count: number): Promise<Row[]> {
  const service = await startLocalService();
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-bench-'));
  try {
    const rows = largeRows(count, 2);
    const took = await timeToPreview(apiClient(service.url, service.headers), rows);
    const imported = await timeToImport(service, folder, rows);
    const size = `${count} rows with ${rows[0]?.length} columns`;
    return [
      {
        part,
        measure: `upload of a file to ready for approval, ${size}`,
        result: `${took.toFixed(1)} s`,
      },
      {
        part,
        measure: `\`records import merchants\` with the same cells, against the file`,
        result: `${imported.toFixed(1)} s`,
        ratio: imported / took,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await service.stop();
  }
}

/** Returns the seconds in which a file is read and its month is calculated. */
async function timeToPreview(api: ApiClient, rows: Rows): Promise<number> {
  await api.send('POST', '/residual-formats', { body: plainFormat(...fees) });
  const { data: users } = await api.send<{ data: { id: number }[] }>('GET', '/users');
  const beneficiary = { type: 'user', id: String(users[0]?.id) };
  const share = { basisPoints: 5_000, of: 'net' };
  await api.send('POST', '/residual-agreements', { body: { beneficiary, share, validFrom: month } });
  const file = new Uint8Array(writeWorkbook([{ name: 'Residuals', rows }]));
  const sha256 = createHash('sha256').update(file).digest('hex');
  const described = { processor: 'Northwind', month, fileName: 'residuals.xlsx', size: file.length, sha256 };
  const began = performance.now();
  const { id, upload } = await api.send<Uploaded>('POST', '/residual-files', { body: described });
  const { ok, status } = await fetch(upload.url, { ...upload, body: file });
  if (!ok) throw new Error(`The upload returned ${status}.`);
  await api.send('POST', `/residual-files/${id}/complete`, { body: {} });
  await reached(api, `/residual-files/${id}`, 'read');
  const run = await api.send<{ id: number }>('POST', '/residual-runs', { body: { month } });
  await reached(api, `/residual-runs/${run.id}`, 'preview');
  return (performance.now() - began) / 1000;
}

interface Uploaded {
  id: number;
  upload: { url: string; method: string; headers: Record<string, string> };
}

/** Waits until a file or a run has a state. Throws if its job fails. */
async function reached(api: ApiClient, path: string, wanted: string): Promise<void> {
  for (;;) {
    const { state, error } = await api.send<{ state: string; error?: string }>('GET', path);
    if (state === wanted) return;
    if (state === 'failed') throw new Error(`${path} failed: ${error}`);
    await setTimeout(pause);
  }
}

/** Returns the seconds of an import of merchants. */
async function timeToImport(service: Service, folder: string, [header = [], ...rows]: Rows): Promise<number> {
  const file = join(folder, 'merchants.csv');
  const days = rateDays.map((_, n) => `rates.${n}.effectiveDate`);
  const lines = [
    [...header.map((_, column) => fieldOf(column)), ...days],
    ...rows.map((cells) => [...cells, ...rateDays]),
  ];
  writeFileSync(file, lines.map((cells) => `${cells.join(',')}\n`).join(''));
  const began = performance.now();
  const command = ['infra/operations/main.ts', 'records', 'import', 'merchants', file, '--json'];
  const child = spawn(process.execPath, ['--import', 'tsx', ...command], {
    cwd: root,
    env: { ...process.env, DATA_DIR: service.folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The import ended with the exit code ${code}.`);
  return (performance.now() - began) / 1000;
}
