import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encoded } from '../../infra/operations/import/encodings.ts';
import { formatOf, type Row, readRows } from '../../infra/operations/import/read-rows.ts';
import { rejectedPath, rejectedRows } from '../../infra/operations/import/rejected-rows.ts';
import { atEndOfAll, temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder(atEndOfAll());
const input = join(folder, 'leads.csv');

async function rowsOf(file: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of readRows(file, await formatOf(file))) rows.push(row);
  return rows;
}

/** Rejects all rows of a file, and returns the path of the file with the rejected rows. */
async function reject(file: string, message: string): Promise<string> {
  const format = await formatOf(file);
  const rejected = rejectedRows(file, format.header, format);
  for (const row of await rowsOf(file)) rejected.add(row, [{ line: row.line, message }]);
  rejected.close();
  return rejectedPath(file);
}

const quoted = (cells: readonly string[], delimiter: string): string =>
  cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter);

const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be', 'windows-1252'] as const;
const layout = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineBreak: fc.constantFrom('\n', '\r\n'),
  hasMark: fc.boolean(),
  hasSeparatorLine: fc.boolean(),
});
const cell = fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n\'";,|a1 é€Ž') });
const cells = fc.tuple(cell, cell, cell).filter((row) => row.some((text) => text.trim() !== ''));

test.each(encodings)(
  'a table in %s is read, and its rejected rows are read with the same cells',
  async (encoding) => {
    await fc.assert(
      fc.asyncProperty(layout, fc.array(cells, { minLength: 1 }), async (format, table) => {
        const { delimiter, lineBreak, hasMark, hasSeparatorLine } = format;
        const lines = [['Firma', 'Größe', ''], ...table].map((row) => quoted(row, delimiter));
        const text = [...(hasSeparatorLine ? [`sep=${delimiter}`] : []), ...lines, ''].join(lineBreak);
        const mark = hasMark && encoding !== 'windows-1252' ? '\ufeff' : '';
        writeFileSync(input, encoded(`${mark}${text}`, encoding));
        expect((await rowsOf(input)).map((row) => row.cells)).toEqual(table);
        expect(await formatOf(input)).toMatchObject({ encoding, delimiter, lineBreak, hasSeparatorLine });
        // Rows that are rejected twice still have one line number and one reason.
        for (const file of [await reject(input, 'old'), await reject(rejectedPath(input), '=1+1')]) {
          expect((await rowsOf(file)).map((row) => row.cells)).toEqual(table);
          expect(await formatOf(file)).toMatchObject({ encoding, delimiter, lineBreak, hasSeparatorLine });
        }
      }),
      { numRuns: 2 },
    );
  },
);

test('a spreadsheet evaluates no cell of a file of rejected rows as a formula', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(cells, { minLength: 1 }), cell, async (table, name) => {
      const columns = [`${name}x`.trim(), 'Company', 'City'];
      writeFileSync(input, [columns, ...table].map((row) => `${quoted(row, ',')}\n`).join(''));
      const written: string[][] = parse(readFileSync(await reject(input, '=1+1'), 'utf8'), { bom: true });
      expect(written.flat().filter((one) => /^[=+\-@＝＋－＠\t\r\n]/.test(one))).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test('a file of rejected rows in Unicode begins with a byte order mark, which Excel needs', async () => {
  for (const [encoding, start] of [
    ['utf-8', [0xef, 0xbb, 0xbf]],
    ['utf-16le', [0xff, 0xfe]],
    ['windows-1252', [...Buffer.from('lin')]],
  ] as const) {
    writeFileSync(input, encoded('First,Last\nZoë,\n', encoding));
    const written = readFileSync(await reject(input, 'is wrong'));
    expect([...written.subarray(0, start.length)], encoding).toEqual(start);
  }
});
