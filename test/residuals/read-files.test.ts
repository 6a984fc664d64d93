import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalOfMicros } from '../../shared/residuals/amounts/micros.ts';
import { UnreadableFile } from '../../shared/residuals/files/file-cell.ts';
import { openFile } from '../../shared/residuals/files/open-file.ts';
import { readMicros, readMonth } from '../../shared/residuals/files/read-cells.ts';
import { readFileRows } from '../../shared/residuals/files/read-rows.ts';
import { ReadingResult } from '../../shared/residuals/files/reading-result.ts';
import type { ResidualRow } from '../../shared/residuals/files/residual-row.ts';
import { packRows, rowsPerChunk, unpackRows } from '../../shared/residuals/files/row-chunks.ts';
import { suggestFormat } from '../../shared/residuals/files/suggest-format.ts';
import type { FileReading } from '../../shared/residuals/formats/schema.ts';
import { plainFormat } from './plain-format.ts';
import { writeWorkbook } from './write-workbook.ts';
import { writeZip } from './write-zip.ts';

type Format = Partial<FileReading>;
const net: Pick<FileReading, 'columns'> = { columns: { mid: 'MID', net: { add: ['Net'] } } };

/** Reads the rows of a file with a format of MIDs and net amounts. */
async function read(file: string | Buffer, format: Format = {}) {
  const result = new ReadingResult();
  const rows: ResidualRow[] = [];
  const reading: FileReading = { headerRows: 1, decimals: 'point', ...net, ...format };
  const context = { reading, currency: 'USD', month: '2026-10', result };
  for await (const group of readFileRows(await openFile(Buffer.from(file as string)), context))
    rows.push(...group);
  const { problems, totals, rejectedRows } = result;
  return { rows, problems, rejectedRows, ...totals };
}

const nets = ({ rows }: { rows: readonly ResidualRow[] }) =>
  rows.map((row) => [row.mid, Number(decimalOfMicros(row.net))]);
const suggested = async (file: string | Buffer) =>
  suggestFormat(await openFile(Buffer.from(file as string)), { processor: 'Northwind', currency: 'USD' });

describe('the amount of a cell', () => {
  test.each([
    ['12.3', 'point', 12.3],
    ['(12.30)', 'point', -12.3],
    ['12.30-', 'point', -12.3],
    ['−1,234.5', 'point', -1234.5],
    ['$ 1,234.50', 'point', 1234.5],
    ['1.234,56', 'comma', 1234.56],
    ['(1.234,56)', 'comma', -1234.56],
    ['1,234', 'point', 1234],
    ['1,234', 'comma', 1.234],
    ['1.234,56', undefined, 1234.56],
    [' - ', 'point', 0],
    [' $-   ', 'point', 0],
    ['-\u00a0€', 'comma', 0],
    ['0.0000005', 'point', 0.000001],
    ['-0.0000005', 'point', -0.000001],
    ['0.0000004', 'point', 0],
    ['-1.1368683772161603E-13', 'point', 0],
    ['1,25e-04', 'comma', 0.000125],
  ] as const)('%j with the decimal separator %s is %d', (cell, decimals, value) => {
    const found = readMicros(cell, { currency: 'USD', decimals });
    expect(found).toEqual({ value: Math.round(value * 1e6) + 0 });
  });

  test.each([
    ['1.23E+15', 'scientific_notation'],
    ['1.23E-02', 'scientific_notation'],
    ['#REF!', 'error_value'],
    ['n/a', 'not_a_number'],
    ['1.234,56', 'not_a_number'],
    ['12.30 CR', 'ambiguous_number'],
    ['€ 12.30', 'other_currency'],
    ['99999999999.00', 'too_large'],
  ])('%j is rejected as %s', (cell, reason) => {
    expect(readMicros(cell, { currency: 'USD', decimals: 'point' })).toEqual({ rejected: reason });
  });

  test('that can mean two numbers is rejected without a decimal separator', () => {
    expect(readMicros('1,234', { currency: 'USD' })).toEqual({ rejected: 'ambiguous_number' });
  });

  test('with a suffix is negative as the format states', () => {
    const of = (cell: string, negatives: 'debit' | 'credit') =>
      readMicros(cell, { currency: 'USD', decimals: 'point', negatives });
    expect(of('12.30 CR', 'credit')).toEqual({ value: -12_300_000 });
    expect(of('12.30 CR', 'debit')).toEqual({ value: 12_300_000 });
    expect(of('12.30 DR', 'debit')).toEqual({ value: -12_300_000 });
  });

  test('as a double has the same value as its decimal notation', () => {
    fc.assert(
      fc.property(fc.integer({ min: -9_000_000_000_000, max: 9_000_000_000_000 }), (micros) => {
        const found = readMicros({ number: String(micros / 1e6) }, { currency: 'USD' });
        expect(found).toEqual({ value: micros + 0 });
        expect(readMicros(decimalOfMicros(micros), { currency: 'USD', decimals: 'point' })).toEqual(found);
      }),
    );
    expect(readMicros({ number: '0.30000000000000004' }, { currency: 'USD' })).toEqual({ value: 300_000 });
    expect(readMicros({ number: '1.5E-3' }, { currency: 'USD' })).toEqual({ value: 1_500 });
  });

  test('and the month of a cell are read in the usual notations', () => {
    const months = ['2026-10', '10/2026', 'Oct 2026', 'October-26', '202610', '2026-10-31', '10/31/2026'];
    expect(months.map((text) => readMonth(text, { currency: 'USD' }))).toEqual(months.map(() => '2026-10'));
    expect(readMonth('13/2026', { currency: 'USD' })).toBeUndefined();
  });
});

describe('an amount in another currency', () => {
  test.each([
    ['[$€-407]', 'other_currency'],
    ['[$EUR]', 'other_currency'],
    ['\u0022€\u0022', 'other_currency'],
    ['[$CA$-1009]', 'other_currency'],
    ['[$$-409]', undefined],
    ['\u0022$\u0022', undefined],
    ['[Red]', undefined],
    ['[$-409]', undefined],
  ])('is rejected in a spreadsheet whose cells have the number format %s', async (mark, reason) => {
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
    const code = `#,##0.00 ${mark}`.replaceAll('"', '&quot;');
    const styles = `<styleSheet xmlns="${main}"><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`;
    const rows = [
      ['MID', 'Net'],
      ['1', { xml: '<c s="1"><v>12.3</v></c>' }],
    ];
    const found = await read(writeWorkbook([{ name: 'A', rows }], { parts: { 'xl/styles.xml': styles } }));
    expect(found.problems.map((one) => one.reason)).toEqual(reason ? [reason] : []);
    expect(nets(found)).toEqual(reason ? [] : [['1', 12.3]]);
  });

  test.each(['Net (EUR)', 'Net €', 'Net [CAD]'])(
    'is refused with a sentence if the header is %s',
    async (header) => {
      const columns = { mid: 'MID', net: { add: [header] } };
      await expect(read(`MID,${header}\n1,2\n`, { columns })).rejects.toThrow(`The column "${header}" is in`);
    },
  );

  test.each(['Net ($)', 'Net (USD)', 'NET ALL', 'Net (PCI)'])(
    'is not assumed for the header %s',
    async (header) => {
      const columns = { mid: 'MID', net: { add: [header] } };
      expect(nets(await read(`MID,${header}\n1,2\n`, { columns }))).toEqual([['1', 2]]);
    },
  );
});

describe('a text file', () => {
  test.each([
    ['CRLF and quotation marks', 'MID,DBA,Net\r\n1,"Ada, Inc.",(12.30)\r\n2,"Two\r\nlines",1\r\n'],
    ['tabs', 'MID\tDBA\tNet\n1\tAda, Inc.\t(12.30)\n2\tTwo\t1\n'],
    ['titles before the heading', 'Report of October\n\nMID,DBA,Net\n1,Ada,(12.30)\nMID,DBA,Net\n2,Two,1\n'],
    [
      'semicolons and an encoding of one byte',
      Buffer.from('MID;DBA;Net\n1;M\xfcller;-12.3\n2;b;1', 'latin1'),
    ],
    ['more commas than semicolons', 'MID;DBA;Fee;Net\n1;Ada, Inc., Ohio;1,5;-12,3\n2;b;2,5;1,0\n', 'comma'],
  ] as const)('with %s is read', async (_, file, decimals?: 'comma') => {
    expect(nets(await read(file, decimals && { decimals }))).toEqual([
      ['1', -12.3],
      ['2', 1],
    ]);
  });

  test('keeps the line of each row, and the leading zeros of its MID', async () => {
    const { rows } = await read('Title\nMID,Net\n\n="0012",1\n\'0013,2\n');
    expect(rows).toEqual([
      { place: 4, mid: '0012', net: 1_000_000 },
      { place: 5, mid: '0013', net: 2_000_000 },
    ]);
    expect(nets(await read('MID,Net\n\u200b0014,1\n4445012345678.0,2\n'))).toEqual([
      ['0014', 1],
      ['4445012345678', 2],
    ]);
  });

  test.each([
    ['dmy', '03/10/2026', ['10/03/2026', '2026-09-30']],
    ['mdy', '10/03/2026', ['03/10/2026', '2026-09-30']],
    ['ymd', '2026/10/03', ['2026/03/10']],
  ] as const)(
    'with dates in the order %s reports rows of other months, and keeps them',
    async (dates, own, others) => {
      const lines = [own, ...others].map((date, n) => `${n},${date},1\n`);
      const columns = { ...net.columns, date: 'Date' };
      const found = await read(`MID,Date,Net\n${lines.join('')}`, { columns, dates });
      expect(found.rows).toHaveLength(lines.length);
      expect(found.problems.map(({ text, reason }) => [text, reason])).toEqual(
        others.map((date) => [date, 'other_month']),
      );
    },
  );

  test('with dates that can mean two days reports them without an order', async () => {
    const found = await read('MID,Date,Net\n1,03/10/2026,1\n', { columns: { ...net.columns, date: 'Date' } });
    expect(found.problems).toMatchObject([{ reason: 'date_unreadable' }]);
    expect(found.rows).toHaveLength(1);
  });

  test('reports rejected cells, and leaves out rows without their MID or net amount', async () => {
    const file =
      'MID,DBA,Net,Fee\n1.23E+15,a,1,1\n2,b,?,1\n3,c,3,#N/A\n4,Smith, Jones LLC,9,9\n,e,5,1\n6,f,,\n7,g,7,1.5\n';
    const fees = [{ name: 'Fee', add: ['Fee'] }];
    const found = await read(file, { columns: { ...net.columns, count: { add: ['Fee'] }, fees } });
    expect(nets(found)).toEqual([
      ['3', 3],
      ['7', 7],
    ]);
    expect(found.problems.map(({ place, reason, text }) => [place, reason, text])).toEqual([
      [2, 'scientific_notation', '1.23E+15'],
      [3, 'not_a_number', '?'],
      [4, 'error_value', '#N/A'],
      [4, 'error_value', '#N/A'],
      [5, 'columns_differ', '4'],
      [6, 'mid_missing', ''],
      [8, 'not_a_number', '1.5'],
    ]);
    expect(found.rejectedRows).toBe(4);
  });

  test('has sums and differences of columns', async () => {
    const columns = {
      mid: 'MID',
      net: { add: ['Income', 'Bonus'], subtract: ['Cost'] },
      fees: [{ name: 'All', add: ['Bonus', 'Cost'] }],
    };
    const { rows } = await read('MID,Income,Bonus,Cost\n1,10,,2.5\n2,,1,\n', { columns });
    expect(rows).toEqual([
      { place: 2, mid: '1', net: 7_500_000, fees: { All: 2_500_000 } },
      { place: 3, mid: '2', net: 1_000_000, fees: { All: 1_000_000 } },
    ]);
  });

  test.each([
    ['Total', 'MID,Net\n1,1\n2,2\nTotal,4\n', 4, 1],
    ['Grand Total:', 'MID,Net\n1,1\nSubtotal,1\nTotal,1\n2,2\nGrand Total:,3\nTotal,9\n', 3, 0],
    ['no label', 'MID,Net\n1,1\n2,2\n,3\n', 3, 0],
    ['a long label', 'MID,Net\n1,1\n2,2\nTotal Merchants: 2,3\n', 3, 0],
    ['the number of merchants as its MID', 'Agent,MID,Net\nAda,1,1\nAda,2,2\nTotal,2,3\n', 3, 0],
    ['such a number and another amount', 'Agent,MID,Net\nAda,1,1\nAda,2,2\nTotal,2,4\n', 4, 1],
  ])('whose total has %s shows by how much its rows differ', async (_, file, stated, difference) => {
    const found = await read(file);
    expect(found.rows).toHaveLength(2);
    expect(found).toMatchObject({ statedTotal: stated * 1e6, difference: difference * 1e6, problems: [] });
  });

  test('rejects the sum of other rows, and never reads its name as a MID', async () => {
    const found = await read('MID,Net\n1,1\n2,2\nAda Total,1\n3,3\n');
    expect(nets(found).map(([mid]) => mid)).toEqual(['1', '2', '3']);
    expect(found.problems).toMatchObject([{ place: 4, reason: 'mid_unreadable', text: 'Ada Total' }]);
  });

  test('keeps rows of another month, and reports them', async () => {
    const columns = { ...net.columns, date: 'Period' };
    const found = await read('MID,Period,Net\n1,2026-10,1\n2,2026-09,2\n3,soon,3\n', { columns });
    expect(found.rows).toHaveLength(3);
    expect(found.problems.map(({ reason }) => reason)).toEqual(['other_month', 'date_unreadable']);
  });

  test.each([
    ['lacks a column', 'MID,Gross\n1,1\n', /Missing: "Net"/],
    ['has a column twice', 'MID,Net,Net\n1,1,1\n', /column "Net" twice/],
    ['is binary', Buffer.from([1, 2, 0, 0xff]), /must be a text file/],
  ])('that %s is refused', async (_, file, message) => {
    await expect(read(file)).rejects.toThrow(message);
  });
});

describe('a workbook', () => {
  test('whose format names a sheet twice is read once', async () => {
    const file = writeWorkbook([
      {
        name: 'Visa',
        rows: [
          ['MID', 'Net'],
          ['1', 1.5],
        ],
      },
    ]);
    expect(nets(await read(file, { sheets: ['Visa', 'VISA'] }))).toEqual([['1', 1.5]]);
  });

  test('of two sheets is read with the place of each row', async () => {
    const file = writeWorkbook([
      { name: 'Notes', rows: [['See the other sheets']] },
      { name: 'Visa', rows: [['Title'], ['MID', 'Net'], ['1', 1.5], ['2', '(2.50)'], ['Total', -1]] },
      {
        name: 'Old',
        isHidden: true,
        rows: [
          ['MID', 'Net'],
          ['9', 9],
        ],
      },
      {
        name: 'Amex',
        rows: [
          ['Net', 'MID'],
          [0.1, 3],
          ['Total', 0.1],
        ],
      },
    ]);
    const found = await read(file);
    expect(found.rows).toEqual([
      { place: 4, sheet: 'Visa', sheetRow: 3, mid: '1', net: 1_500_000 },
      { place: 5, sheet: 'Visa', sheetRow: 4, mid: '2', net: -2_500_000 },
      { place: 8, sheet: 'Amex', sheetRow: 2, mid: '3', net: 100_000 },
    ]);
    expect(nets(await read(file, { sheets: ['old'] }))).toEqual([['9', 9]]);
    await expect(read(file, { sheets: ['Discover'] })).rejects.toThrow(/sheet "Discover"/);
  });

  test('has texts in its cells or in a table, with formulas, errors, booleans and padded numbers', async () => {
    const rows = [
      ['MID', 'Net'],
      [{ xml: '<c s="2"><v>12</v></c>' }, { xml: '<c><f>1+1</f><v>2</v></c>' }],
      ['2', { xml: '<c><f>SUM(A1:A2)</f><v></v></c>' }],
      ['3', { xml: '<c t="e"><v>#DIV/0!</v></c>' }],
      ['4', { xml: '<c t="str"><f>TEXT(4,"0")</f><v>4</v></c>' }],
      ['5', { xml: '<c t="b"><v>1</v></c>' }],
      [{ xml: '<c><v>1.23E+15</v></c>' }, 6],
      ['7', { xml: '<c s="3"><v>46000</v></c>' }],
    ];
    for (const isInline of [true, false]) {
      const found = await read(writeWorkbook([{ name: 'A', rows }], { isInline }));
      expect(nets(found)).toEqual([
        ['0000012', 2],
        ['4', 4],
      ]);
      expect(found.problems.map(({ sheetRow, reason }) => [sheetRow, reason])).toEqual([
        [3, 'formula_without_value'],
        [4, 'error_value'],
        [6, 'not_a_number'],
        [7, 'digits_lost'],
        [8, 'date_for_number'],
      ]);
    }
  });

  test.each([
    [false, '2026-10-31', 46_326],
    [true, '2026-10-31', 46_326 - 1_462],
  ])('with the date system of 1904 (%s) has the right days', async (is1904, _, serial) => {
    const rows = [
      ['MID', 'Month', 'Net'],
      ['1', { xml: `<c s="1"><v>${serial}</v></c>` }, 1],
    ];
    const found = await read(writeWorkbook([{ name: 'A', rows }], { is1904 }), {
      columns: { ...net.columns, date: 'Month' },
    });
    expect(found).toMatchObject({ rows: [{ mid: '1' }], problems: [] });
  });

  test('with a merged heading has the names of both rows', async () => {
    const rows = [
      ['Report'],
      ['MID', 'Visa', null, 'Amex', null],
      [null, 'Volume', 'Net', 'Volume', 'Net'],
      ['1', 100, 1, 200, 2],
    ];
    const format = await suggested(writeWorkbook([{ name: 'A', rows }]));
    expect(format).toMatchObject({
      headerRows: 2,
      columns: {
        volume: { add: ['Visa / Volume', 'Amex / Volume'] },
        net: { add: ['Visa / Net', 'Amex / Net'] },
      },
    });
    const { rows: found } = await read(writeWorkbook([{ name: 'A', rows }]), format as FileReading);
    expect(found).toMatchObject([{ mid: '1', volume: 300_000_000, net: 3_000_000 }]);
  });

  const sheet = [
    {
      name: 'A',
      rows: [
        ['MID', 'Net'],
        ['1', 1],
      ],
    },
  ];
  const formula = (text: string) =>
    writeWorkbook([
      {
        name: 'A',
        rows: [
          ['MID', 'Net'],
          ['1', { xml: `<c><f>${text}</f><v>1</v></c>` }],
        ],
      },
    ]);
  const part = (name: string) => writeWorkbook(sheet, { parts: { [name]: '<x/>' } });
  const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex');

  test.each([
    ['a link to another file', part('xl/externalLinks/externalLink1.xml'), /links to other files/],
    ['a data connection', part('xl/connections.xml'), /data connections/],
    ['a formula with another file', formula('[1]Sheet1!A1'), /formula with a link/],
    ['a formula with an address', formula('WEBSERVICE("https://example.com")'), /formula with a link/],
    ['a command', formula("cmd|'/C calc'!A0"), /formula with a link/],
    ['macros', part('xl/vbaProject.bin'), /macros/],
    ['a password', Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]), /password/],
    ['an old format', compound, /old format/],
    ['other contents', writeZip({ mimetype: 'x' }), /must be an XLSX/],
    [
      'a document type',
      writeWorkbook(sheet, { parts: { 'xl/workbook.xml': '<!DOCTYPE a><a/>' } }),
      /damaged/,
    ],
    ['half of its bytes', writeWorkbook(sheet).subarray(0, 500), /damaged/],
    [
      'a part of 500 MB',
      writeZip({ 'xl/workbook.xml': { content: Buffer.from('<a/>'), size: 500 * 1024 * 1024 } }),
      /when it is unpacked/,
    ],
    [
      'a part that is larger than stated',
      writeZip({ 'xl/workbook.xml': { content: Buffer.from('<workbook></workbook>'), size: 3 } }),
      /damaged/,
    ],
  ])('with %s is refused with a sentence', async (_, file, message) => {
    const refused = await read(file).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnreadableFile);
    expect(String(refused)).toMatch(message);
    expect(String(refused)).toMatch(/[A-Z].*\.$/);
  });

  test('may contain structured references and texts with brackets', async () => {
    expect(nets(await read(formula('SUM(Table1[Net])+LEN("[x]")')))).toEqual([['1', 1]]);
  });
});

describe('a suggested format', () => {
  test('names the usual columns, the fees and the decimal separator', async () => {
    const file =
      'Merchant ID;DBA Name;Monat;Sales Volume;Total Income;Total Expense;PCI Fee;Rep Code\n1;a;x;1.000,50;2,5;1,5;9,95;7\n';
    expect(await suggested(file)).toEqual({
      ...{ name: 'Northwind residuals', processor: 'Northwind', headerRows: 1, decimals: 'comma' },
      columns: {
        ...{ mid: 'Merchant ID', dba: 'DBA Name', volume: { add: ['Sales Volume'] } },
        ...{ income: { add: ['Total Income'] }, expense: { add: ['Total Expense'] } },
        net: { add: ['Total Income'], subtract: ['Total Expense'] },
        fees: [{ name: 'PCI Fee', add: ['PCI Fee'] }],
      },
    });
  });

  test('needs a column of MIDs and net amounts', async () => {
    await expect(suggested('Date,Amount\n2026-01-01,1\n')).rejects.toThrow(/such as "MID"/);
  });
});

const micros = fc.integer({ min: -9_000_000_000, max: 9_000_000_000 });
const someRows = fc.array(
  fc.record({
    mid: fc.integer({ min: 1, max: 40 }).map((n) => `44450${n}`),
    net: micros,
    volume: fc.option(micros, { nil: undefined }),
    fee: fc.option(micros, { nil: undefined }),
  }),
  { minLength: 1, maxLength: 60 },
);

describe('written files', () => {
  test('have the same rows in every format', async () => {
    await fc.assert(
      fc.asyncProperty(someRows, async (rows) => {
        const heading = ['MID', 'DBA', 'Volume', 'Income', 'Expense', 'Net', 'Fee'];
        const text = (value: number | undefined) => (value === undefined ? '' : decimalOfMicros(value));
        const cells = rows.map(({ mid, volume, net: of, fee }) => [
          mid,
          `Café, ${mid}`,
          text(volume),
          '',
          '',
          decimalOfMicros(of),
          text(fee),
        ]);
        const comma = (cell: string, at: number) => (at > 1 ? cell.replace('.', ',') : cell);
        const asNumbers = cells.map((row) =>
          row.map((cell, at) => (at > 1 ? (cell === '' ? null : Number(cell)) : cell)),
        );
        const quoted = (row: readonly string[]) => row.map((cell) => `"${cell}"`).join(',');
        const format: FileReading = { ...plainFormat('Fee'), headerRows: 1 };
        const files: [string | Buffer, Format][] = [
          [[heading, ...cells].map(quoted).join('\r\n'), {}],
          [[heading, ...cells].map((row) => row.map(comma).join(';')).join('\n'), { decimals: 'comma' }],
          [[heading, ...cells].map((row) => row.join('\t')).join('\n'), {}],
          [writeWorkbook([{ name: 'A', rows: [heading, ...asNumbers] }]), {}],
          [writeWorkbook([{ name: 'A', rows: [heading, ...cells] }], { isInline: true }), {}],
        ];
        const expected = rows.map(({ mid, volume, net: of, fee }, n) => ({
          ...{ place: n + 2, mid, dba: `Café, ${mid}`, net: of },
          ...(volume !== undefined && { volume }),
          ...(fee !== undefined && { fees: { Fee: fee } }),
        }));
        for (const [file, style] of files) {
          const found = await read(file, { ...format, ...style });
          expect(found.rows.map(({ sheet, sheetRow, ...row }) => row)).toEqual(expected);
          expect(found.problems).toEqual([]);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('have rows that are the same after they were stored', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const all = rows.map(
          ({ mid, net: of, volume, fee }, n): ResidualRow => ({
            ...{ place: n + 1, mid, net: of },
            ...(volume !== undefined && { volume, sheet: `S${n % 2}`, sheetRow: n }),
            ...(fee !== undefined && { fees: { Fee: fee }, count: n }),
          }),
        );
        expect(unpackRows(packRows(all))).toEqual(all);
      }),
    );
  });

  test('have chunks of at most 100 KB, also with 60 fees of random digits', () => {
    const rows = fc.sample(
      fc.tuple(
        fc.string({ unit: 'binary', minLength: 100, maxLength: 100 }),
        fc.array(fc.maxSafeInteger(), { minLength: 65, maxLength: 65 }),
      ),
      { numRuns: rowsPerChunk(60), seed: 1 },
    );
    const chunk = rows.map(
      ([dba, [volume, income, expense, of = 0, ...fees]], place): ResidualRow => ({
        ...{ place, mid: dba.slice(0, 64), dba, volume, income, expense, net: of },
        fees: Object.fromEntries(fees.slice(0, 60).map((fee, n) => [`Fee ${n}`, fee])),
      }),
    );
    expect(packRows(chunk).length).toBeLessThan(100_000);
  });
});
