import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { referencesOf } from '../../shared/billing/bank-statements/identity.ts';
import { readBankFile } from '../../shared/billing/bank-statements/read-bank-file.ts';
import {
  isUnreadRow,
  type ReadingOptions,
  type ReadStatement,
  UnreadableStatement,
} from '../../shared/billing/bank-statements/statement.ts';
import {
  bai2Style,
  camtStyle,
  csvStyle,
  mt940Style,
  ofxStyle,
  statementOf,
  type TrueEntry,
  type TrueStatement,
  type WrittenFile,
  writeBai2,
  writeCamt053,
  writeCsv,
  writeMt940,
  writeOfx,
} from './statement-files.ts';

const read = (text: string, options: Partial<ReadingOptions> = {}) =>
  readBankFile(text, { currency: 'USD', ...options });

const rowsOf = ({ parts }: ReadStatement) => parts.flatMap(({ rows }) => rows);

/** The references of the payments of a statement. */
const referencesIn = ({ parts }: ReadStatement) =>
  referencesOf(
    parts.flatMap(({ account, rows }) =>
      rows.flatMap((row) => (isUnreadRow(row) ? [] : [{ ...row, account }])),
    ),
  );

/** The rows without the texts, which formats write differently. */
const shortRows = (statement: ReadStatement) =>
  rowsOf(statement).map((row) =>
    isUnreadRow(row)
      ? [row.line, row.reason]
      : [
          ...[row.line, row.day, row.amount, row.currency],
          row.held ?? (row.reverses ? 'reversal' : 'booked'),
        ],
  );

const truthOf = ({ currency, entries }: TrueStatement, lines: readonly number[]) =>
  entries.map(({ day, amount, kind }, at) => [lines[at], day, amount, currency, kind]);

/** The processor time since a measurement, which other processes on the machine do not change. */
const secondsSince = (start: NodeJS.CpuUsage) => process.cpuUsage(start).user / 1_000_000;

describe('a statement in CSV', () => {
  test('is read as it was written, in every style', () => {
    fc.assert(
      fc.property(statementOf(['booked', 'booked', 'pending', 'reversal']), csvStyle, (truth, style) => {
        const { text, lines } = writeCsv(truth, style);
        const statement = read(text, { currency: truth.currency });
        expect(shortRows(statement)).toEqual(truthOf(truth, lines));
      }),
      { numRuns: 100 },
    );
  });

  test('has the same identities in every style', () => {
    fc.assert(
      fc.property(statementOf(['booked', 'pending']), csvStyle, csvStyle, (truth, one, other) => {
        const [first, second] = [one, other].map((style) =>
          referencesIn(read(writeCsv(truth, style).text, { currency: truth.currency })),
        );
        expect(second).toEqual(first);
        expect(new Set(first).size).toBe(truth.entries.length);
      }),
      { numRuns: 100 },
    );
  });

  test('reports each bad row with its line and reason, and reads the others', () => {
    const bad = fc.constantFrom(
      [{ Amount: 'abc' }, 'amount_unreadable'] as const,
      [{ Amount: '1.2.3' }, 'amount_unreadable'] as const,
      [{ 'Booking date': '2026-02-30' }, 'date_unreadable'] as const,
      [{ 'Booking date': '0026-03-02' }, 'date_unreadable'] as const,
      [{ Currency: 'XXX' }, 'currency_unknown'] as const,
      [{ Direction: 'Transfer' }, 'direction_unknown'] as const,
      [{ Direction: '' }, 'direction_unknown'] as const,
      [{ Status: 'Perhaps' }, 'status_unknown'] as const,
    );
    fc.assert(
      fc.property(
        statementOf(['booked']),
        csvStyle.map((style) => ({ ...style, direction: 'Direction' as const, currency: 'column' as const })),
        fc.array(bad, { minLength: 1, maxLength: 5 }),
        (truth, style, rows) => {
          const { text, lines } = writeCsv(
            truth,
            style,
            rows.map(([cells]) => cells),
          );
          const reasons = rows.map(([, reason], at) => [lines[truth.entries.length + at], reason]);
          expect(shortRows(read(text, { currency: truth.currency }))).toEqual([
            ...truthOf(truth, lines),
            ...reasons,
          ]);
        },
      ),
      { numRuns: 100 },
    );
  });

  test.each([
    [
      'a title and a footer',
      'Statement of March\n\nDate,Description,Amount\n2026-03-02,INV-000001,50.00\nTotal,,50.00\n',
    ],
    ['a stated delimiter', 'sep=;\nDate;Description;Amount\n2026-03-02;INV-000001;50.00\n'],
    ['pipes', 'Date|Description|Amount\n2026-03-02|INV-000001|50.00\n'],
    ['a trailing delimiter', 'Date,Description,Amount,\n2026-03-02,INV-000001,50.00,\n'],
    ['spaces around cells', 'Date , Description , Amount\n2026-03-02 , INV-000001 , 50.00\n'],
    ['a stray quotation mark', 'Date,Description,Amount\n2026-03-02,"INV-000001,50.00\n'],
    ['a quotation mark in a text', 'Date,Description,Amount\n2026-03-02,Bob "the INV-000001,50.00\n'],
    ['a currency in the header', 'Date,Description,Amount (USD)\n2026-03-02,INV-000001,50.00\n'],
    ['German headers', 'Buchungstag;Verwendungszweck;Betrag\n02.03.2026;INV-000001;50,00\n'],
    ['debit and credit columns', 'Date,Description,Debit,Credit\n2026-03-02,INV-000001,,50.00\n'],
    ['an empty first line', '\nDate;Description;Amount\n2026-03-02;INV-000001;50,00\n'],
    ['a direction column', 'Datum;Naam / Omschrijving;Af Bij;Bedrag (USD)\n20260302;INV-000001;Bij;50,00\n'],
    [
      'a posting and a value date',
      'Posting Date,Value Date,Details,Amount,Balance\n03/02/2026,03/15/2026,INV-000001,$50.00,"1,050.00"\n',
      { dates: 'mdy' },
    ],
    ['a line break in a cell', 'Date,Description,Amount\n2026-03-02,"INV-\n000001",50.00\n'],
  ] as [string, string, Partial<ReadingOptions>?][])('with %s is read', (_, text, options = {}) => {
    const rows = rowsOf(read(text, options));
    expect(rows).toMatchObject([{ day: '2026-03-02', amount: 5_000 }]);
    expect(rows[0]).toHaveProperty('description', expect.stringMatching(/INV-\s?000001/));
  });

  test.each([
    ['no date', 'amount,text\n1,x', /column date/],
    ['no amount', 'date,text\n2026-03-01,x', /column amount/],
    ['no header', '2026-03-01,x,1\n', /column amount/],
    ['dates with two meanings', 'date,amount\n03/04/2026,1\n05/04/2026,1\n', /2026-04-03 or 2026-03-04/],
    [
      'dates in two orders',
      'date,amount\n13/04/2026,1\n04/13/2026,1\n03/04/2026,1\n',
      /2026-04-03 or 2026-03-04/,
    ],
    ['two columns of amounts', 'date,amount,betrag\n2026-03-01,1,2\n', /one column of amounts/],
  ])('with %s is refused', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  test('reads each row although a quotation mark was opened and never closed', () => {
    const text =
      'date,amount,text\n2026-03-01,1,"open\n2026-03-02,2,"closed"\n2026-03-03,3,"two\nlines"\n2026-03-04,4,"open\n';
    expect(shortRows(read(text)).map(([line, day]) => [line, day])).toEqual([
      [2, '2026-03-01'],
      [3, '2026-03-02'],
      [4, '2026-03-03'],
      [6, '2026-03-04'],
    ]);
  });

  test.each([
    [
      'Transaction Type',
      [
        ['Credit', 1],
        ['Debit', -1],
        ['Transfer', 'direction_unknown'],
      ],
    ],
    [
      'Type',
      [
        ['Transfer', 'direction_unknown'],
        ['', 'direction_unknown'],
      ],
    ],
    [
      'S/H',
      [
        ['H', 1],
        ['S', -1],
        ['h', 1],
        ['X', 'direction_unknown'],
      ],
    ],
    [
      'Debit/credit',
      [
        ['CR', 1],
        ['DR', -1],
        ['', 'direction_unknown'],
      ],
    ],
  ] as const)('takes money that left the account from the column %s', (name, rows) => {
    const text = `date,amount,${name}\n${rows.map(([value]) => `2026-03-01,0.01,${value}`).join('\n')}`;
    expect(rowsOf(read(text)).map((row) => (isUnreadRow(row) ? row.reason : row.amount))).toEqual(
      rows.map(([, result]) => result),
    );
  });

  test('reads the sign if a column of kinds has no direction', () => {
    const text = 'date,amount,type\n2026-03-01,-1,Fee charged\n2026-03-01,1,Transfer\n';
    expect(rowsOf(read(text))).toMatchObject([{ amount: -100 }, { amount: 100 }]);
  });

  test('reports a row with more cells than the header', () => {
    const text = 'date,amount,text\n2026-03-01,100,00,INV-000001\n2026-03-02,1,x\n';
    expect(shortRows(read(text))).toMatchObject([
      [2, 'columns_differ'],
      [3, '2026-03-02', 100, 'USD', 'booked'],
    ]);
  });

  test('reads columns by a mapping', () => {
    const text = 'Wann,Wieviel,Wozu\n2026-03-02,"1,50",INV-000001\n';
    const columns = { date: 'wann', amount: 'Wieviel', description: ['Wozu'] };
    expect(rowsOf(read(text, { columns }))).toMatchObject([
      { day: '2026-03-02', amount: 150, description: 'INV-000001' },
    ]);
  });

  test('is read in the same way with the style that was found, in every style', () => {
    fc.assert(
      fc.property(statementOf(['booked', 'booked', 'pending']), csvStyle, (truth, style) => {
        const { text } = writeCsv(truth, style);
        const first = read(text, { currency: truth.currency });
        const second = read(text, { currency: truth.currency, ...first.style });
        expect(second).toEqual(first);
        expect(referencesIn(second)).toEqual(referencesIn(first));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['date', { date: 'Wann' }],
    ['direction', { direction: 'Richtung' }],
    ['amounts that left the account', { debit: 'Ausgang' }],
    ['status', { status: 'Zustand' }],
  ])('without the column that a mapping names for the %s is refused', (_, columns) => {
    const text = 'Datum,Betrag,Text\n2026-03-02,5.00,INV-000001\n';
    expect(() => read(text, { columns })).toThrow(`${Object.values(columns)[0]} is missing`);
  });

  test('reads ambiguous dates and amounts in a stated style', () => {
    const text = 'date,amount\n03/04/2026,"1,234"\n04/03/2026,5\n';
    expect(rowsOf(read(text, { dates: 'dmy', decimals: 'point' }))).toMatchObject([
      { day: '2026-04-03', amount: 123_400 },
      { day: '2026-03-04', amount: 500 },
    ]);
  });

  test('takes time in proportion to its size, also with hostile texts', () => {
    const hostile = [
      '"',
      '"a,',
      '"\n',
      ',"a"b',
      '(',
      '-',
      'inv',
      'inv ',
      '1 ',
      'inv-1',
      '2026-03-01,1,"\n',
      ' ',
    ];
    for (const piece of hostile) {
      const text = `date,amount,text\n2026-03-01,1,${piece.repeat(Math.ceil(60_000 / piece.length))}`;
      const start = process.cpuUsage();
      read(text);
      expect(secondsSince(start), piece).toBeLessThan(5);
    }
  });
});

interface Format {
  format: string;
  /** The kinds of transactions that the format can mark. */
  kinds: readonly TrueEntry['kind'][];
  /** Writes the statement in any style. */
  file: fc.Arbitrary<(truth: TrueStatement) => WrittenFile>;
  hasBalances: boolean;
}

const formats: readonly Format[] = [
  {
    format: 'mt940',
    kinds: ['booked', 'booked', 'pending', 'reversal'],
    file: mt940Style.map((style) => (truth: TrueStatement) => writeMt940(truth, style)),
    hasBalances: true,
  },
  {
    format: 'camt053',
    kinds: ['booked', 'booked', 'pending', 'reversal'],
    file: camtStyle.map((style) => (truth: TrueStatement) => writeCamt053(truth, style)),
    hasBalances: true,
  },
  {
    format: 'ofx',
    kinds: ['booked'],
    file: ofxStyle.map((style) => (truth: TrueStatement) => writeOfx(truth, style)),
    hasBalances: false,
  },
  {
    format: 'bai2',
    kinds: ['booked', 'booked', 'reversal'],
    file: bai2Style.map((style) => (truth: TrueStatement) => writeBai2(truth, style)),
    hasBalances: true,
  },
];

/** The change of the balance by the reversals together. Undefined if there are none. */
function changeByReversals({ entries }: TrueStatement): number | undefined {
  const reversals = entries.filter(({ kind }) => kind === 'reversal');
  return reversals.length > 0 ? reversals.reduce((sum, { amount }) => sum + amount, 0) : undefined;
}

describe.each(formats)('a statement in $format', ({ format, kinds, file, hasBalances }) => {
  test('is recognized and read as it was written, in every style', () => {
    fc.assert(
      fc.property(statementOf(kinds), file, (truth, write) => {
        // Reversals that cancel each other change no balance, so that nothing in CAMT.053 shows their directions.
        fc.pre(format !== 'camt053' || changeByReversals(truth) !== 0);
        const { text, lines } = write(truth);
        const statement = read(text, { currency: truth.currency });
        expect(statement.format).toBe(format);
        expect(shortRows(statement)).toEqual(truthOf(truth, lines));
      }),
      { numRuns: 100 },
    );
  });

  test('has the same identities in every style', () => {
    fc.assert(
      fc.property(statementOf(['booked']), file, file, (truth, one, other) => {
        const [first, second] = [one, other].map((write) => referencesIn(read(write(truth).text)));
        expect(second).toEqual(first);
        expect(new Set(first).size).toBe(truth.entries.length);
      }),
      { numRuns: 100 },
    );
  });

  test.runIf(hasBalances)('is refused with both sums if a transaction is missing', () => {
    fc.assert(
      fc.property(
        statementOf(['booked']),
        file,
        fc.integer({ min: 1, max: 1_000 }),
        (truth, write, missing) => {
          expect(() => read(write({ ...truth, missing }).text)).toThrow(
            /transactions lead to .* but it closes with/,
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a statement', () => {
  test('in MT940 has the year of the booking that is nearest to the value date', () => {
    const text =
      ':20:X\n:25:1\n:60F:C251231EUR0,\n:61:2601021231C1,NTRFNONREF//A\n:61:2512310102C2,NTRFNONREF//B\n:62F:C260102EUR3,\n';
    expect(shortRows(read(text)).map(([, day]) => day)).toEqual(['2025-12-31', '2026-01-02']);
  });

  test('in CAMT.053 with a collective entry has its transactions', () => {
    const details = (amount: string, text: string) =>
      `<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;
    const entry = (shares: string) =>
      `<Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">3.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><NtryDtls>${shares}</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;
    expect(shortRows(read(entry(details('1.00', 'INV-1') + details('2.00', 'INV-2'))))).toMatchObject([
      [1, '2026-03-02', 100, 'EUR', 'booked'],
      [1, '2026-03-02', 200, 'EUR', 'booked'],
    ]);
    // Shares that are not the whole amount are not read.
    expect(shortRows(read(entry(details('1.00', 'INV-1') + details('1.00', 'INV-2'))))).toMatchObject([
      [1, '2026-03-02', 300, 'EUR', 'booked'],
    ]);
  });

  test('in OFX keeps entities as text and leading zeros of ids', () => {
    const text =
      '<OFX><STMTRS><CURDEF>USD<BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260302<TRNAMT>1<FITID>0012<MEMO>a &amp;lt; b</STMTTRN></BANKTRANLIST></STMTRS></OFX>';
    expect(rowsOf(read(text))).toMatchObject([
      { bankReference: '0012', description: expect.stringContaining('a &lt; b') },
    ]);
    expect(rowsOf(read(text.replace('CREDIT', 'DEBIT')))).toMatchObject([{ reason: 'direction_unknown' }]);
  });

  test('in OFX is read although the list of its transactions is not closed', () => {
    const entry = (id: string) =>
      `<STMTTRN>\n<TRNTYPE>CREDIT\n<DTPOSTED>20260302000000[-3:GMT]\n<TRNAMT>1.50\n<FITID>${id}\n<MEMO>INV-1\n</STMTTRN>\n\n`;
    const text = `<OFX>\n<CREDITCARDMSGSRSV1>\n<CCSTMTTRNRS>\n<CCSTMTRS>\n<CURDEF>BRL\n<CCACCTFROM>\n<ACCTID>7\n</CCACCTFROM>\n\n<BANKTRANLIST>\n<DTSTART>20260224\n${entry('a')}${entry('b')}<LEDGERBAL>\n<BALAMT>3.00\n</LEDGERBAL>\n</CCSTMTRS>\n</CCSTMTTRNRS>\n</CREDITCARDMSGSRSV1>\n</OFX>`;
    expect(shortRows(read(text))).toEqual([
      [12, '2026-03-02', 150, 'BRL', 'booked'],
      [20, '2026-03-02', 150, 'BRL', 'booked'],
    ]);
  });

  test('in BAI2 can have several records on a line', () => {
    const text =
      '01,122099999,123456789,260301,0200,1,80,,2/   02,031001234,122099999,1,260302,2359,USD,2/\n' +
      '03,12345,,010,100,,,015,350,,/ 16,142,200,Z,R1,,INV-1 a/b 16 left/ 16,142,50,Z,R2,,INV-2\n88,more/   49,500,4/ 98,1,1,5/\n99,1,1,7/\n';
    expect(rowsOf(read(text))).toMatchObject([
      { line: 2, amount: 200, bankReference: 'R1', description: 'INV-1 a/b 16 left' },
      { line: 2, amount: 50, bankReference: 'R2', description: 'INV-2 more' },
    ]);
  });

  test('in every format takes time in proportion to its size, also with hostile texts', () => {
    const starts = [
      '<Document><BkToCstmrStmt><Stmt>',
      '<OFX>',
      ':20:1\n:60F:C260301EUR1,\n',
      '01,1,2,260301,0200,\n02,1,2,1,260301,,USD,2/\n03,1,USD/\n',
    ];
    const hostile = [
      '<',
      '<!--',
      '<?',
      '<![CDATA[',
      '<a>',
      '<a ',
      '</a>',
      '&#',
      '\n:61:',
      '\n:86:?20',
      '?20',
      '\n88,',
      '\n16,',
      ',',
      '/\n88,',
    ];
    for (const start of starts)
      for (const piece of hostile) {
        const began = process.cpuUsage();
        try {
          read(start + piece.repeat(Math.ceil(60_000 / piece.length)));
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableStatement);
        }
        expect(secondsSince(began), start + piece).toBeLessThan(5);
      }
  });

  test.each([
    ['CAMT.053', writeCamt053, { version: 8, prefix: '', details: 'one' }],
    ['OFX', writeOfx, { version: 2, closed: true, decimals: '.', time: '' }],
  ] as const)('in %s without line breaks is read in time in proportion to its size', (_, write, style) => {
    const entry = { day: '2026-03-02', amount: 100, text: 'INV-1', reference: 'R1', kind: 'booked' as const };
    const entries = Array.from({ length: 15_000 }, () => entry);
    const { text } = write({ account: '1', currency: 'USD', opening: 0, entries }, style as never);
    const began = process.cpuUsage();
    expect(rowsOf(read(text.replaceAll('\n', '')))).toHaveLength(15_000);
    expect(secondsSince(began)).toBeLessThan(5);
  });

  test('in BAI2 with hostile continuations is read in time in proportion to its size', () => {
    const start = '01,1,2,260301,0200,\n02,1,2,1,260301,,USD,2/\n03,1,USD/\n16,142,1,Z,R1,,';
    const began = process.cpuUsage();
    expect(rowsOf(read(`${start}${'x\n88,'.repeat(200_000)}`))).toMatchObject([{ bankReference: 'R1' }]);
    expect(secondsSince(began)).toBeLessThan(5);
    expect(() => read(`${start}${'/ 16,142,'.repeat(500_001)}`)).toThrow(/so many records/);
  });

  test('in OFX is read although a list of 200,000 elements is not closed', () => {
    const text = `<OFX><STMTRS><BANKTRANLIST>${'<A></A>'.repeat(200_000)}</STMTRS></OFX>`;
    expect(rowsOf(read(text))).toEqual([]);
    const more = `<Document><BkToCstmrStmt>${'<A/>'.repeat(1_000_001)}`;
    expect(() => read(more)).toThrow(/so many elements/);
  });

  test.each([
    [
      'an unclosed element',
      '<Document><BkToCstmrStmt><Stmt></BkToCstmrStmt></Document>',
      /closes another element/,
    ],
    [
      'a DOCTYPE',
      '<!DOCTYPE x [<!ENTITY a "b">]><Document><BkToCstmrStmt></BkToCstmrStmt></Document>',
      /DOCTYPE/,
    ],
    ['no closing balance', ':20:X\n:25:1\n:60F:C260301EUR1,\n', /closing balance/],
    [
      'a deletion',
      '01,1,2,260301,0200,1,80,,2/\n02,1,2,2,260301,2359,USD,2/\n03,1,USD,010,1,,/\n',
      /status 1/,
    ],
    ['no account', '<OFX></OFX>', /statement of an account/],
  ])('with %s is refused', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
