import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readBankFile } from '../../shared/billing/bank-statements/read-bank-file.ts';
import { isUnreadRow } from '../../shared/billing/bank-statements/statement.ts';
import {
  bai2Style,
  mt940Style,
  ofxStyle,
  statementOf,
  type TrueStatement,
  writeBai2,
  writeMt940,
  writeOfx,
} from '../billing/statement-files.ts';

const run = promisify(execFile);
const python = join(process.env.PYTHON_TOOLS ?? '', 'python');
const reader = join(import.meta.dirname, 'read_statements.py');

/** The number of statements of each format. */
const statements = 200;

interface Format {
  name: string;
  oracle: 'mt940' | 'ofx' | 'bai2';
  file: fc.Arbitrary<(truth: TrueStatement) => { text: string }>;
}

const formats: readonly Format[] = [
  {
    name: 'MT940',
    oracle: 'mt940',
    file: mt940Style.map((style) => (truth: TrueStatement) => writeMt940(truth, style)),
  },
  ...([1, 2] as const).map(
    (version): Format => ({
      name: `OFX ${version}`,
      oracle: 'ofx',
      // The oracle converts times to UTC, so that the day of the bank is lost. It takes an empty element without an end tag
      // for the parent of the next ones.
      file: ofxStyle
        .filter(({ time, emptyMemo }) => !time.includes('[') && !(emptyMemo && version === 1))
        .map((style) => (truth: TrueStatement) => writeOfx(truth, { ...style, version })),
    }),
  ),
  {
    name: 'BAI2',
    oracle: 'bai2',
    file: bai2Style.map((style) => (truth: TrueStatement) => writeBai2(truth, style)),
  },
];

/** Reads files with the oracle. Returns the parts of each file by its name. */
async function partsByOracle(
  oracle: Format['oracle'],
  files: ReadonlyMap<string, string>,
): Promise<Record<string, unknown[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'statements-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  const { stdout } = await run(python, [reader, oracle, folder], { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout);
}

/** Reads a file with our reader, in the form of the oracle. */
function partsByUs(text: string, currency: string): unknown[] {
  return readBankFile(text, { currency }).parts.map(({ account, opening, closing, rows }) => ({
    account,
    ...(opening !== undefined && { opening }),
    ...(closing !== undefined && { closing }),
    transactions: rows.map((row) => {
      if (isUnreadRow(row)) return row;
      return { day: row.day, amount: row.amount, reference: row.bankReference };
    }),
  }));
}

describe.each(formats)('random statements in $name', ({ oracle, file }) => {
  test('have the same days, amounts, references and balances in the oracle', async () => {
    const written = fc
      .sample(fc.tuple(statementOf(['booked']), file), statements)
      .map(([truth, write], at) => ({ name: `${at}.${truth.currency}`, text: write(truth).text }));
    const files = new Map(written.map(({ name, text }) => [name, text]));
    const found = await partsByOracle(oracle, files);
    expect(Object.keys(found)).toHaveLength(statements);
    for (const [name, text] of files)
      expect(partsByUs(text, name.split('.')[1] ?? ''), text).toEqual(found[name]);
  });
});
