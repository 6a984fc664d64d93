import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CsvRecord, csvRecords } from '../../infra/operations/import/csv-records.ts';
import { encoded } from '../../infra/operations/import/encodings.ts';
import { openExisting } from '../../infra/operations/import/find-existing.ts';
import { type ImportResult, importRows } from '../../infra/operations/import/import-rows.ts';
import { mapColumns } from '../../infra/operations/import/map-columns.ts';
import { formatOf } from '../../infra/operations/import/read-rows.ts';
import { rejectedPath } from '../../infra/operations/import/rejected-rows.ts';
import { resourceNamed } from '../../infra/operations/import/resources.ts';
import { atEndOfAll, temporaryFolder } from '../harness/temporary-folder.ts';

const input = join(temporaryFolder(atEndOfAll()), 'leads.csv');
const leads = resourceNamed('leads');
const noConnection = () => Promise.reject(new Error('A dry run without names sends no request'));

/** Validates all rows of a file without a service. */
async function dryRun(content: string | Uint8Array): Promise<ImportResult> {
  writeFileSync(input, content);
  const format = await formatOf(input);
  const { existing } = await openExisting(noConnection, leads, [], { isRequired: false, dryRun: true });
  return importRows({
    file: input,
    format,
    resource: leads,
    map: mapColumns(format.header, {}, leads),
    mapValue: (_, value) => value,
    total: 0,
    findName: async () => undefined,
    cells: { zone: async () => ({ value: 'UTC' }) },
    matchBy: [],
    existing,
    onMatch: 'report',
    sending: undefined,
  });
}

const lineBreak = fc.constantFrom('\n', '\r\n', '\r');
const delimiter = fc.constantFrom(',', ';', '\t', '|');
const linesIn = (text: string) => text.split(/\r\n|\r|\n/).length - 1;

/** A row, and what the import must do with it. */
const rowKind = fc.constantFrom('valid', 'quoted', 'stray', 'short', 'invalid', 'empty', 'blank');

test('each row of a random file is imported, rejected with its line, or empty', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(rowKind, lineBreak, lineBreak), { maxLength: 30 }),
      fc.constantFrom('no', 'unclosed', 'unclosed empty'),
      delimiter,
      fc.constantFrom('utf-8', 'utf-16le', 'windows-1252'),
      fc.boolean(),
      async (kinds, end, separator, encoding, endsWithBreak) => {
        const [rejected, lenient]: [string[], number[]] = [[], []];
        let [line, count, text] = [2, 0, `First,Last,Notes,Employees\r\n`.replaceAll(',', separator)];
        const add = (cells: readonly string[], ending: string, isEmpty = false) => {
          if (!isEmpty) count += 1;
          text += `${cells.join(separator)}${ending}`;
          line = linesIn(text) + 1;
        };
        for (const [n, [kind, ending, inner]] of kinds.entries()) {
          const name = `N${n}`;
          if (kind === 'valid') add([name, 'Byron', 'é', ''], ending);
          else if (kind === 'quoted')
            add([`"${name}"`, 'Byron', `"a ""b"" ${inner}${inner}${separator}c"`, '""'], ending);
          else if (kind === 'stray') {
            lenient.push(line);
            add([name, 'Byron', 'a 5" pipe', ''], ending);
          } else if (kind === 'short') {
            rejected.push(`line ${line}: has 2 cells`);
            add([name, `"By${inner}ron"`], ending);
          } else if (kind === 'invalid') {
            rejected.push(`line ${line}, column "Employees": must be`);
            add([`"${name}"`, 'Byron', `"${inner}"`, 'many'], ending);
          } else add(kind === 'empty' ? ['""', '', ' ', ''] : [''], ending, true);
        }
        if (end !== 'no') {
          lenient.push(line);
          add(['Ada', 'Byron', '"open', ''], '\r\n');
          if (end === 'unclosed empty') add(['Ada', 'Byron', 'x', '""'], '\r\n');
          add(['Ada', 'Byron', 'x', ''], endsWithBreak ? '\n' : '');
        }
        const result = await dryRun(encoded(text, encoding as 'utf-8'));
        expect(result).toMatchObject({ rows: count, rejected: rejected.length });
        expect(result.errors).toEqual(rejected.map((start) => expect.stringContaining(start)));
        expect(result.warnings).toEqual(
          lenient.map((at) => `line ${at}: has a misplaced quotation mark, which is read as text`),
        );
        if (rejected.length > 0) {
          const written = parse(readFileSync(rejectedPath(input)), {
            delimiter: separator,
            bom: true,
            encoding: encoding === 'utf-16le' ? 'utf16le' : 'utf8',
          });
          expect(written.slice(1).map(([at]: string[]) => at)).toEqual(
            rejected.map((error) => /\d+/.exec(error)?.[0]),
          );
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('ten rows with a CRLF in a cell and one quotation mark that is not closed are all read', async () => {
  const rows = Array.from({ length: 10 }, (_, n) => `Ada${n},Byron,"one\r\ntwo"\r\n`).join('');
  const { warnings, ...counts } = await dryRun(
    `First,Last,Notes\r\n${rows}Joe,"The Boss,\r\nGrace,Hopper,\r\n`,
  );
  expect(counts).toMatchObject({ rows: 12, rejected: 0 });
  expect(warnings).toEqual(['line 22: has a misplaced quotation mark, which is read as text']);
});

async function* inChunks(text: string, sizes: readonly number[]): AsyncGenerator<string> {
  let at = 0;
  for (let n = 0; at < text.length; n += 1) {
    const end = at + (sizes[n % sizes.length] ?? text.length);
    yield text.slice(at, end);
    at = end;
  }
}
async function recordsOf(text: string, separator: string, sizes: readonly number[] = []) {
  const records: CsvRecord[] = [];
  for await (const record of csvRecords(inChunks(text, sizes), separator)) records.push(record);
  return records;
}
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 });

test('each word of random text is in one record, which contains the word’s line', async () => {
  const piece = fc.constantFrom('"', '"', '""', ',', 'word', 'word', ' ', '\n', '\r\n', '\r');
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), sizes, async (pieces, chunkSizes) => {
      const words: { word: string; line: number }[] = [];
      let text = '';
      for (const one of pieces) {
        if (one === 'word') words.push({ word: `w${words.length}.`, line: linesIn(text) + 1 });
        text += one === 'word' ? `w${words.length - 1}.` : one;
      }
      const records = await recordsOf(text, ',', chunkSizes);
      expect(records).toEqual(await recordsOf(text, ','));
      const found = words.map(({ word }) =>
        records.filter(({ cells }) => cells.some((cell) => cell.includes(word))),
      );
      expect(found.map(({ length }) => length)).toEqual(words.map(() => 1));
      for (const [n, { line }] of words.entries())
        expect(found[n]?.every((record) => record.line <= line && line <= record.lastLine)).toBe(true);
      for (const [n, { lastLine }] of records.entries())
        expect(records[n + 1]?.line ?? lastLine + 1).toBeGreaterThan(lastLine);
    }),
    { numRuns: 1_000 },
  );
});

test('records of valid CSV have the cells that csv-parse reads', async () => {
  const plain = fc.string({ unit: fc.constantFrom(...'ab =é') });
  const quoted = fc
    .string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r\n', '\r', ' ') })
    .map((text) => `"${text.replaceAll('"', '""')}"`);
  const row = fc.array(fc.oneof(plain, quoted), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row),
      fc.constantFrom(',', ';'),
      lineBreak,
      sizes,
      async (rows, separator, ending, chunkSizes) => {
        const text = rows.map((cells) => cells.join(separator) + ending).join('');
        const records = await recordsOf(text, separator, chunkSizes);
        expect(records.filter(({ isLenient }) => isLenient)).toEqual([]);
        expect(records.map(({ cells }) => cells)).toEqual(
          parse(text, {
            delimiter: separator,
            record_delimiter: ending,
            relax_column_count: true,
            skip_empty_lines: true,
          }),
        );
      },
    ),
    { numRuns: 300 },
  );
});
