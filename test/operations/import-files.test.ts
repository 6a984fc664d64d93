import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encoded } from '../../infra/operations/import/encodings.ts';
import { formatOf, type Row, readRows } from '../../infra/operations/import/read-rows.ts';
import { atEndOfAll, temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder(atEndOfAll());

async function rowsOf(content: string | Uint8Array, name = 'leads.csv'): Promise<Row[]> {
  const file = join(folder, name);
  writeFileSync(file, content);
  const rows: Row[] = [];
  for await (const row of readRows(file, await formatOf(file))) rows.push(row);
  return rows;
}
const valuesOf = async (content: string | Uint8Array, name?: string) =>
  (await rowsOf(content, name)).map(({ values }) => values);

describe('encodings', () => {
  test.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'] as const)(
    'JSON lines in %s are read, with and without a byte order mark',
    async (encoding) => {
      for (const mark of ['\ufeff', ''])
        expect(await valuesOf(encoded(`${mark}{"firstName":"Zoë"}\n`, encoding), 'leads.jsonl')).toEqual([
          { firstName: 'Zoë' },
        ]);
    },
  );

  test('the quotation marks and the euro sign of Windows-1252 are read', async () => {
    const bytes = Buffer.from([...Buffer.from('Name\n'), 0x93, 0x41, 0x94, 0x20, 0x80, 0x35, 0x0a]);
    expect(await valuesOf(bytes)).toEqual([{ Name: '“A” €5' }]);
  });

  test.each<[string, Uint8Array]>([
    ['with a NUL', Buffer.from('First,Last\nA\0da,Byron\n')],
    ['of an Excel workbook', Buffer.from('PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0\x62\xee\x9d\x68', 'latin1')],
    [
      'with half a character of UTF-16',
      Buffer.concat([encoded('\ufeffA,B\n', 'utf-16le'), Buffer.from('x')]),
    ],
    ['with half a surrogate pair', Buffer.from('\ufeffFirst\nA\ud83d\nB\n', 'utf16le')],
    ['with a byte that Windows-1252 does not define', Buffer.from('Name\nA\x81\n', 'latin1')],
    ['of UTF-8 with a damaged character', Buffer.from([...Buffer.from('Name\nZoë\nJosé\n'), 0xe9, 0x0a])],
  ])('a file %s is refused', async (_, bytes) => {
    await expect(rowsOf(bytes)).rejects.toThrow(/^The file is not text in UTF-8, UTF-16, UTF-32 or /);
  });
});

describe('layouts', () => {
  test('the line sep= sets the delimiter, and line numbers count it', async () => {
    expect(await rowsOf('sep=|\r\nFirst,Last|Company\r\nAda|Acme\r\n')).toMatchObject([
      { line: 3, values: { 'First,Last': 'Ada', Company: 'Acme' } },
    ]);
  });

  test('delimiters inside a quoted header are not counted', async () => {
    expect(await valuesOf('"Name, first, last";Email\nAda;a@example.com\n')).toEqual([
      { 'Name, first, last': 'Ada', Email: 'a@example.com' },
    ]);
  });

  test('rows of empty cells are skipped, in CSV and in JSON lines', async () => {
    expect(await rowsOf('First,Last\n,\nAda,Byron\n , \n"",""\nGrace,\n')).toMatchObject([
      { line: 3 },
      { line: 6 },
    ]);
    expect(await rowsOf('{}\n{"a":""}\n{"a":" ","b":null}\n{"a":false}\n', 'empty.ndjson')).toMatchObject([
      { line: 4 },
    ]);
  });

  test('a row with fewer or more cells than the header has a problem', async () => {
    expect(await rowsOf('First,Last\nAda\nA,B,C\nGrace,Hopper\n')).toMatchObject([
      { line: 2, problem: 'has 1 cells, but there are 2 columns' },
      { line: 3, problem: 'has 3 cells, but there are 2 columns', cells: ['A', 'B', 'C'] },
      { line: 4, values: { Last: 'Hopper' } },
    ]);
  });
});

test('JSON lines end with LF, CRLF or CR, and may contain other line separators', async () => {
  const values = { firstName: 'A\u2028B\u2029C' };
  const text = JSON.stringify(values);
  expect(await rowsOf(`${text}\r\n${text}\n\n${text}\r${text}\r`, 'separators.jsonl')).toEqual(
    [1, 2, 4, 5].map((line) => ({ line, values })),
  );
});

describe('misplaced quotation marks', () => {
  test.each([
    ['Joe "The Boss" Diner', 'Joe "The Boss" Diner'],
    ['"Joe "The Boss" Diner"', 'Joe "The Boss" Diner'],
    ['"The "Boss""', 'The "Boss"'],
    ['"Big Al" Burgers', '"Big Al" Burgers'],
    ['"Big Al" and "Joe"', '"Big Al" and "Joe"'],
    ['5" pipes', '5" pipes'],
  ])('the cell %s is read as text', async (written, read) => {
    expect(await rowsOf(`Name,City\n${written},Oakland\nAda,"San ""F"", CA"\n`)).toMatchObject([
      { line: 2, isLenient: true, values: { Name: read, City: 'Oakland' } },
      { line: 3, isLenient: false, values: { City: 'San "F", CA' } },
    ]);
  });

  test('a quotation mark that is not closed before the end of the file is read as text', async () => {
    expect(await rowsOf('Name,City\n"A\nB",X\n"The Boss,Oakland\nAda,Reno\n')).toMatchObject([
      { line: 2, values: { Name: 'A\nB' }, isLenient: false },
      { line: 4, values: { Name: '"The Boss', City: 'Oakland' }, isLenient: true },
      { line: 5, values: { Name: 'Ada', City: 'Reno' }, isLenient: false },
    ]);
  });

  test('a quotation mark that another row closes is a problem of the rows between', async () => {
    expect(await rowsOf('Name,City\n"The Boss,Oakland\nAda,"Reno"\nGrace,Napa\n')).toMatchObject([
      { line: 2, problem: expect.stringContaining('so the lines 2 to 3 were read as one row') },
      { line: 4, values: { Name: 'Grace' } },
    ]);
  });
});
