import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type AchFile, writeNachaFile } from '../../shared/residuals/nacha/write-nacha-file.ts';
import { achFile } from '../residuals/nacha/ach-files.ts';

const run = promisify(execFile);
const python = join(process.env.PYTHON_TOOLS ?? '', 'python');

/** The number of random files. */
const files = 200;

type Fields = Record<string, string>;

/** The content that the oracle read in a file, and the file that it built from the entries. */
interface OracleFile {
  read: {
    file_header: Fields;
    file_control: Fields;
    batches: {
      batch_header: Fields;
      batch_control: Fields;
      entries: { entry_detail: Fields; addenda: Fields[] }[];
    }[];
  };
  built: { batch_controls: string[]; control: string; entries: string[]; addenda: string[] };
}

async function readByOracle(texts: ReadonlyMap<string, string>): Promise<Record<string, OracleFile>> {
  const folder = mkdtempSync(join(tmpdir(), 'nacha-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of texts) writeFileSync(join(folder, name), text);
  const reader = join(import.meta.dirname, 'read_nacha.py');
  const { stdout } = await run(python, [reader, folder], { maxBuffer: 256 * 1024 * 1024 });
  return JSON.parse(stdout);
}

const entriesIn = (file: OracleFile) => file.read.batches.flatMap(({ entries }) => entries);

describe('the NACHA file of a payout', () => {
  test('is read by carta-ach with all its values', async () => {
    const sent = fc.sample(achFile, files);
    const texts = new Map(sent.map((file, index) => [String(index), writeNachaFile(file)]));
    const found = await readByOracle(texts);
    for (const [index, file] of sent.entries()) {
      const oracle = found[index];
      if (!oracle) throw new Error(`The oracle did not read the file ${index}.`);
      expect(oracle.read.file_header.file_id_mod).toBe(file.modifier);
      expect(oracle.read.batches.map(({ batch_header }) => batch_header.std_ent_cls_code)).toEqual([
        ...new Set(file.entries.map(({ holderType }) => (holderType === 'person' ? 'PPD' : 'CCD'))),
      ]);
      expect(entriesIn(oracle).map(({ entry_detail, addenda }) => paid(entry_detail, addenda))).toEqual(
        file.entries.map(sentBy),
      );
    }
  });

  test('has the entry hash, the counts, the totals and the records that carta-ach computes', async () => {
    const sent = fc.sample(achFile, files);
    const texts = new Map(sent.map((file, index) => [String(index), writeNachaFile(file)]));
    const found = await readByOracle(texts);
    for (const [name, text] of texts) {
      const lines = text.split('\n');
      const oracle = found[name];
      const starting = (type: string) => lines.filter((line) => line.startsWith(type));
      expect(lines.find((line, index) => index > 0 && line.startsWith('9'))).toBe(oracle?.built.control);
      // The oracle takes the originating bank from the immediate destination, as our files have it.
      expect(starting('82')).toEqual(oracle?.built.batch_controls);
      expect(starting('6').map((line) => line.slice(0, 79))).toEqual(oracle?.built.entries);
      expect(starting('7').map((line) => line.slice(0, 87))).toEqual(oracle?.built.addenda);
    }
  });
});

const sentBy = (entry: AchFile['entries'][number]) => ({
  ...{ routing: entry.routingNumber, account: entry.accountNumber, amount: entry.amount },
  ...{ trace: entry.trace, type: entry.accountType === 'checking' ? '22' : '32', id: entry.reference },
  ...{ name: entry.holderName.replaceAll(/ +/g, ' '), memo: entry.memo?.replaceAll(/ +/g, ' ') },
});

const paid = (detail: Fields, [addenda]: Fields[]) => ({
  ...{ routing: `${detail.recv_dfi_id}${detail.check_digit}`, account: detail.dfi_acnt_num?.trim() },
  ...{ amount: Number(detail.amount), trace: detail.trace_num, type: detail.transaction_code },
  ...{ id: detail.ind_id?.trim(), name: detail.ind_name?.trim(), memo: addenda?.pmt_rel_info?.trim() },
});
