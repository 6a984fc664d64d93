import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFile } from '../../shared/residuals/files/open-file.ts';
import { readFileRows } from '../../shared/residuals/files/read-rows.ts';
import { ReadingResult } from '../../shared/residuals/files/reading-result.ts';
import type { ResidualRow } from '../../shared/residuals/files/residual-row.ts';
import type { FileReading } from '../../shared/residuals/formats/schema.ts';

const python = join(process.env.PYTHON_TOOLS ?? '', 'python');
const writer = join(import.meta.dirname, 'write_workbooks.py');
const office = process.env.LIBREOFFICE || 'soffice';

/** The number of workbooks with random rows. */
const workbooks = 20;

interface Row {
  mid: string;
  volume: number;
  income: number;
  /** The volume of a second card type. */
  other: number;
}

const cents = fc.integer({ min: -900_000_000, max: 900_000_000 });
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({ mid: fc.stringMatching(/^4445[0-9]{9}$/), volume: cents, income: cents, other: cents }),
  { minLength: 1, maxLength: 40 },
);

const samples = fc.sample(fc.tuple(rows, rows, fc.boolean(), fc.boolean()), { numRuns: workbooks, seed: 55 });

/** The cells of a sheet with a merged heading. Formulas compute the net amounts. */
function sheetOf(all: readonly Row[], isText: boolean) {
  const number = (value: number) => (isText ? { text: (value / 1e4).toFixed(4) } : value / 1e4);
  return {
    merged: ['A1:F1', 'A2:A3', 'B2:B3', 'C2:D2', 'E2:F2'],
    rows: [
      ['Residual report & more'],
      ['MID', 'Month', 'Visa', null, 'Amex', null],
      [null, null, 'Volume', 'Income', 'Volume', 'Net'],
      ...all.map(({ mid, volume, income, other }, n) => [
        ...[mid, { date: '2026-10-31' }, number(volume), number(income), other / 1e4],
        isText ? income / 1e4 : `=D${n + 4}+0`,
      ]),
    ],
  };
}

const reading: FileReading = {
  ...{ headerRows: 2, decimals: 'point' },
  columns: {
    ...{ mid: 'MID', date: 'Month', volume: { add: ['Visa / Volume', 'Amex / Volume'] } },
    ...{ income: { add: ['Visa / Income'] }, net: { add: ['Amex / Net'] } },
  },
};

let folder = '';
const written = (name: string): string => join(folder, 'openpyxl', name);
const converted = (name: string): string => join(folder, 'libreoffice', name);

function convert(paths: readonly string[], format: string): void {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const options = ['--headless', '--norestore', '--convert-to', format];
  const args = [profile, ...options, '--outdir', join(folder, 'libreoffice'), ...paths];
  execFileSync(office, args, { stdio: 'ignore', timeout: 170_000 });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'residual-oracles-'));
  mkdirSync(join(folder, 'openpyxl'));
  const all = samples.map(([first, second, is1904, isText], n) => ({
    ...{ name: `${n}.xlsx`, is1904 },
    sheets: [
      { name: 'Visa & Amex', ...sheetOf(first, isText) },
      { name: 'Second', ...sheetOf(second, isText) },
    ],
  }));
  writeFileSync(join(folder, 'workbooks.json'), JSON.stringify(all));
  execFileSync(python, [writer, join(folder, 'workbooks.json'), join(folder, 'openpyxl')]);
  const paths = all.map(({ name }) => written(name));
  convert(paths, 'xlsx');
  // Semicolons, quotation marks, UTF-8, as shown: the first sheet.
  convert(paths.slice(0, 3), 'csv:Text - txt - csv (StarCalc):59,34,76,1,,0,false,false');
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(path: string) {
  const result = new ReadingResult();
  const found: ResidualRow[] = [];
  const context = { reading, currency: 'USD', month: '2026-10', result };
  for await (const group of readFileRows(await openFile(readFileSync(path)), context)) found.push(...group);
  return { found, result };
}

const expected = (all: readonly Row[], sheet: string, before: number) =>
  all.map(({ mid, volume, income, other }, n) => ({
    ...{ place: before + n + 4, sheet, sheetRow: n + 4, mid },
    ...{ volume: (volume + other) * 100, income: income * 100, net: income * 100 },
  }));

const both = ([first, second]: (typeof samples)[number]) => [
  ...expected(first, 'Visa & Amex', 0),
  ...expected(second, 'Second', first.length + 3),
];

describe('a workbook', () => {
  test.each(samples.map((sample, n) => [n, sample] as const))(
    'of openpyxl has the same rows, and each formula without a value is reported (%d)',
    async (n, sample) => {
      const { found, result } = await read(written(`${n}.xlsx`));
      const isText = sample[3];
      expect(found).toEqual(isText ? both(sample) : []);
      const reasons = new Set(result.problems.map(({ reason }) => reason));
      expect([...reasons]).toEqual(isText ? [] : ['formula_without_value']);
      expect(result.rejectedRows).toBe(isText ? 0 : sample[0].length + sample[1].length);
    },
  );

  test.each(samples.map((sample, n) => [n, sample] as const))(
    'of LibreOffice has the same rows, with the values of its formulas (%d)',
    async (n, sample) => {
      const { found, result } = await read(converted(`${n}.xlsx`));
      expect(found).toEqual(both(sample));
      expect(result.problems).toEqual([]);
    },
  );

  test.each([0, 1, 2])('that LibreOffice exports as CSV has the same rows (%d)', async (n) => {
    const { found } = await read(converted(`${n}.csv`));
    const first = samples[n]?.[0] ?? [];
    expect(found).toEqual(expected(first, '', 0).map(({ sheet, sheetRow, ...row }) => row));
  });
});
