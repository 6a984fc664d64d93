import fc from 'fast-check';
import { decimalOf, minorDigitsOf } from '../../shared/billing/currencies.ts';

/** A transaction of an account, from which the files of all formats are written. */
export interface TrueEntry {
  day: string;
  /** In the smallest unit. Negative if the money left the account. */
  amount: number;
  text: string;
  reference: string;
  kind: 'booked' | 'pending' | 'reversal';
}

/** The transactions of one account. */
export interface TrueStatement {
  account: string;
  currency: string;
  opening: number;
  entries: readonly TrueEntry[];
  /** The amount of transactions that the closing balance contains, but not the file. */
  missing?: number;
}

/** A written file, with the line on which each transaction starts. */
export interface WrittenFile {
  text: string;
  lines: readonly number[];
  /** The rows without a transaction. Default 0. */
  skipped?: number;
}

export const closingOf = ({ opening, entries, missing = 0 }: TrueStatement): number =>
  entries.reduce((sum, { amount, kind }) => (kind === 'pending' ? sum : sum + amount), opening + missing);

const day = fc
  .integer({ min: Date.UTC(2025, 10, 20) / 86_400_000, max: Date.UTC(2026, 2, 20) / 86_400_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

const words = fc.array(
  fc.constantFrom(
    'Invoice',
    'Harbor',
    'Cafe',
    'Street',
    'rent',
    'March',
    'thanks',
    'Müller',
    'ref',
    '7',
    'Total',
    'a,b',
    'x;y',
  ),
  { minLength: 1, maxLength: 4 },
);

/** Texts that name invoices between 1 and 20, in spellings of people and banks, and texts that name none. */
const purpose = fc
  .tuple(words, fc.option(fc.integer({ min: 1, max: 20 })), fc.constantFrom('INV-', 'inv ', 'INV/', 'INV–'))
  .map(([some, number, prefix]) =>
    number === null ? some.join(' ') : `${some.join(' ')} ${prefix}${String(number).padStart(6, '0')}`,
  );

const entry: fc.Arbitrary<TrueEntry> = fc.record({
  day,
  amount: fc.integer({ min: -500_000, max: 500_000 }).filter((amount) => amount !== 0),
  text: purpose,
  reference: fc.integer({ min: 1, max: 99_999 }).map((one) => `R${String(one).padStart(6, '0')}`),
  kind: fc.constant('booked' as const),
});

/** A statement whose days ascend, with equal transactions now and then. */
export const statementOf = (kinds: readonly TrueEntry['kind'][]): fc.Arbitrary<TrueStatement> =>
  fc.record({
    account: fc.constantFrom('DE89370400440532013000', '0012345678'),
    currency: fc.constantFrom('EUR', 'USD', 'JPY'),
    opening: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    entries: fc
      .array(fc.tuple(entry, fc.constantFrom(1, 1, 1, 1, 2), fc.constantFrom(...kinds)), {
        minLength: 1,
        maxLength: 12,
      })
      .map((some) =>
        some.flatMap(([one, times, kind]) => Array.from({ length: times }, () => ({ ...one, kind }))),
      )
      .map((some) => some.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))),
  });

const directionWords = {
  'S/H': ['H', 'S'],
  'Af/Bij': ['Bij', 'Af'],
  'Debit/credit': ['Credit', 'Debit'],
  'Transaction Type': ['CREDIT', 'DEBIT'],
  Direction: ['in', 'out'],
} as const;

/** The headers of a file by the language of the bank. Other headers are English. */
const headersIn: Readonly<Record<'en' | 'de' | 'nl' | 'fr', Readonly<Record<string, string>>>> = {
  en: {},
  de: {
    ...{ Account: 'Auftragskonto', 'Booking date': 'Buchungstag', Description: 'Verwendungszweck' },
    ...{ Amount: 'Betrag', Debit: 'Soll', Credit: 'Haben', 'Transaction ID': 'Bankreferenz' },
    ...{ Status: 'Buchungsstatus', Currency: 'Währung', Category: 'Kategorie', Balance: 'Kontostand' },
  },
  nl: {
    ...{ Account: 'Rekening', 'Booking date': 'Boekdatum', Description: 'Omschrijving', Amount: 'Bedrag' },
    ...{ Debit: 'Uit', Credit: 'In', 'Transaction ID': 'Transactiereferentie', Currency: 'Muntsoort' },
  },
  fr: {
    ...{ 'Booking date': 'Date de comptabilisation', Description: 'Libellé', Amount: 'Montant' },
    ...{ Debit: 'Débit', Credit: 'Crédit', Currency: 'Devise' },
  },
};

export const csvStyle = fc.record({
  language: fc.constantFrom(...(Object.keys(headersIn) as (keyof typeof headersIn)[])),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  days: fc.constantFrom('iso', 'time', 'compact', 'dots', 'dmy', 'mdy', 'named'),
  decimals: fc.constantFrom('point', 'comma'),
  thousands: fc.boolean(),
  direction: fc.constantFrom(
    'sign',
    'trailing',
    'brackets',
    'suffix',
    'two columns',
    ...(Object.keys(directionWords) as (keyof typeof directionWords)[]),
  ),
  currency: fc.constantFrom('column', 'header', 'cell', 'option'),
  before: fc.constantFrom([], ['Account statement'], ['', 'Owner,Acme', 'Balance: 1,000.00', '']),
  statesDelimiter: fc.boolean(),
  footer: fc.boolean(),
  emptyRows: fc.boolean(),
  trailing: fc.boolean(),
  quoted: fc.boolean(),
  extra: fc.boolean(),
  reversed: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  broken: fc.boolean(),
});
type CsvStyle = typeof csvStyle extends fc.Arbitrary<infer S> ? S : never;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Days with slashes are written only where the file shows their order. */
function daysWritten(style: CsvStyle['days'], entries: readonly TrueEntry[]): CsvStyle['days'] {
  const isClear = entries.some(({ day: one }) => Number(one.slice(8)) > 12);
  return (style === 'dmy' || style === 'mdy') && !isClear ? 'dots' : style;
}

function dayIn(style: CsvStyle['days'], day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return {
    iso: day,
    time: `${day} 23:59:59`,
    compact: year + month + date,
    dots: `${date}.${month}.${year}`,
    dmy: `${date}/${month}/${year}`,
    mdy: `${Number(month)}/${Number(date)}/${year}`,
    named: `${Number(date)} ${months[Number(month) - 1]} ${year}`,
  }[style];
}

function sizeIn(
  { decimals, thousands }: Pick<CsvStyle, 'decimals' | 'thousands'>,
  amount: number,
  currency: string,
): string {
  const [whole = '', fraction = ''] = decimalOf(Math.abs(amount), currency).split('.');
  const [point, group] = decimals === 'point' ? ['.', ','] : [',', '.'];
  const digits = thousands ? whole.replace(/\B(?=(\d{3})+$)/g, group) : whole;
  return minorDigitsOf(currency) === 0 ? digits : `${digits}${point}${fraction}`;
}

/** Writes a statement as CSV. `bad` are rows that cannot be read, as cells by column, written after all transactions. */
export function writeCsv(
  { account, currency, entries }: TrueStatement,
  style: CsvStyle,
  bad: readonly { [column: string]: string }[] = [],
): WrittenFile {
  const days = daysWritten(style.days, entries);
  const pair = directionWords[style.direction as keyof typeof directionWords];
  const rowOf = ({ day: one, amount, text, reference, kind }: TrueEntry): [string, string][] => {
    const size = sizeIn(style, amount, currency);
    const shown = style.currency === 'cell' ? `${currency} ${size}` : size;
    const isOut = amount < 0;
    const amounts: [string, string][] =
      style.direction === 'two columns'
        ? [
            ['Debit', isOut ? shown : ''],
            ['Credit', isOut ? '' : shown],
          ]
        : [
            [
              style.currency === 'header' ? `Amount (${currency})` : 'Amount',
              pair
                ? shown
                : {
                    sign: isOut ? `-${shown}` : shown,
                    trailing: isOut ? `${shown}-` : shown,
                    brackets: isOut ? `(${shown})` : shown,
                    suffix: `${shown} ${isOut ? 'DR' : 'CR'}`,
                  }[style.direction as 'sign'],
            ],
            ...(pair ? ([[style.direction, isOut ? pair[1] : pair[0]]] as [string, string][]) : []),
          ];
    const purpose = style.broken && style.quoted ? text.replace(' ', '\n') : text;
    const cells: [string, string][] = [
      ['Account', account],
      ['Booking date', dayIn(days, one)],
      ['Description', purpose],
      ...amounts,
      ['Transaction ID', reference],
      ['Status', { booked: 'Booked', pending: 'Pending', reversal: 'Reversed' }[kind]],
      ...(style.currency === 'column' ? ([['Currency', currency.toLowerCase()]] as [string, string][]) : []),
      ...(style.extra
        ? ([
            ['Category', 'x'],
            ['Balance', '1'],
          ] as [string, string][])
        : []),
    ];
    return style.reversed ? cells.toReversed() : cells;
  };
  const written = (cell: string) =>
    style.quoted || cell.includes(style.delimiter) || cell.includes('"')
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  const line = (cells: readonly string[]) =>
    cells.map(written).join(style.delimiter) + (style.trailing ? style.delimiter : '');
  const [sample] = entries;
  const header = sample ? rowOf(sample).map(([name]) => name) : [];
  const shownHeader = header.map((name) =>
    name.replace(/^[^(]*[^( ]/, (word) => headersIn[style.language][word] ?? word),
  );
  const out: string[] = [
    ...(style.statesDelimiter ? [`sep=${style.delimiter}`] : []),
    ...style.before,
    line(shownHeader),
  ];
  const lines: number[] = [];
  const count = () => out.join('\n').split('\n').length;
  for (const one of entries) {
    lines.push(count() + 1);
    out.push(line(rowOf(one).map(([, cell]) => cell)));
    if (style.emptyRows) out.push(line(header.map(() => '')));
  }
  for (const cells of bad) {
    lines.push(count() + 1);
    const usual = new Map(sample ? rowOf(sample) : []);
    out.push(line(header.map((name) => cells[name] ?? usual.get(name) ?? '')));
  }
  if (style.footer)
    out.push(
      line(header.map((name) => (name === 'Booking date' ? 'Total' : /Amount|Credit/.test(name) ? '1' : ''))),
    );
  const skipped = (style.emptyRows ? entries.length : 0) + (style.footer ? 1 : 0);
  return { text: out.join('\n').replaceAll('\n', style.lineEnd), lines, skipped };
}

const compactDay = (day: string): string => day.replaceAll('-', '');
const shortDay = (day: string): string => compactDay(day).slice(2);
/** The lines of a text, at most `width` characters each. */
const broken = (text: string, width: number): string[] =>
  text.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [''];
const size = (amount: number, currency: string) => decimalOf(Math.abs(amount), currency);
const withLines = (
  build: (add: (...lines: string[]) => void, mark: () => void) => void,
  lineEnd = '\n',
): WrittenFile => {
  const out: string[] = [];
  const lines: number[] = [];
  build(
    (...some) => out.push(...some),
    () => lines.push(out.length + 1),
  );
  return { text: out.join(lineEnd) + lineEnd, lines };
};

export const mt940Style = fc.record({
  blocks: fc.boolean(),
  structured: fc.boolean(),
  /** The value date is this many days before or after the booking. */
  shift: fc.integer({ min: -5, max: 5 }),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  thirdLetter: fc.boolean(),
});
type Mt940Style = typeof mt940Style extends fc.Arbitrary<infer S> ? S : never;

export function writeMt940(truth: TrueStatement, style: Mt940Style): WrittenFile {
  const { account, currency, entries, opening } = truth;
  const money = (amount: number) => {
    const [whole, fraction = ''] = size(amount, currency).split('.');
    return `${whole},${fraction}`;
  };
  const balance = (tag: string, amount: number, day: string) =>
    `:${tag}:${amount < 0 ? 'D' : 'C'}${shortDay(day)}${currency}${money(amount)}`;
  return withLines((add, mark) => {
    add(...(style.blocks ? ['{1:F01BANKDEFFXXXX0000000000}{2:O940}{4:'] : []));
    add(':20:STARTUMS', `:25:${account}`, ':28C:00001/001', balance('60F', opening, entries[0]?.day ?? ''));
    for (const { day, amount, text, reference, kind } of entries) {
      const isOut = amount < 0;
      // A reversal of a debit brings money in.
      const sign = { booked: isOut ? 'D' : 'C', pending: isOut ? 'ED' : 'EC', reversal: isOut ? 'RC' : 'RD' }[
        kind
      ];
      const value = new Date(Date.parse(day) + style.shift * 86_400_000).toISOString().slice(0, 10);
      const letter = style.thirdLetter ? currency.slice(2) : '';
      mark();
      add(
        `:61:${shortDay(value)}${shortDay(day).slice(2)}${sign}${letter}${money(amount)}NTRFNONREF//${reference}`,
      );
      const lines = broken(style.structured ? text.replaceAll('?', '') : text, style.structured ? 27 : 65);
      const whole = `166?00TRANSFER${lines.map((line, at) => `?${20 + at}${line}`).join('')}`;
      add(
        ...(style.structured
          ? broken(`:86:${whole}`, 69)
          : lines.map((line, at) => (at === 0 ? `:86:${line}` : line))),
      );
    }
    add(balance('62F', closingOf(truth), entries.at(-1)?.day ?? ''), style.blocks ? '-}' : '-');
  }, style.lineEnd);
}

export const camtStyle = fc.record({
  version: fc.integer({ min: 2, max: 8 }),
  prefix: fc.constantFrom('', 'ns2:'),
  details: fc.constantFrom('one', 'none', 'split'),
  time: fc.boolean(),
  indented: fc.boolean(),
  oldReversals: fc.boolean(),
  cdata: fc.boolean(),
});
type CamtStyle = typeof camtStyle extends fc.Arbitrary<infer S> ? S : never;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export function writeCamt053(truth: TrueStatement, style: CamtStyle): WrittenFile {
  const { account, currency, entries, opening } = truth;
  const money = (amount: number) => `<Amt Ccy="${currency}">${size(amount, currency)}</Amt>`;
  const direction = (amount: number) => `<CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (type: string, amount: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${money(amount)}${direction(amount)}</Bal>`;
  const content = (text: string) => (style.cdata ? `<![CDATA[${text}]]>` : escaped(text));
  const file = withLines((add, mark) => {
    add('<?xml version="1.0" encoding="UTF-8"?>');
    const space = style.prefix === '' ? 'xmlns' : 'xmlns:ns2';
    add(
      `<Document ${space}="urn:iso:std:iso:20022:tech:xsd:camt.053.001.0${style.version}"><BkToCstmrStmt>`,
      '<!-- <Ntry> -->',
    );
    add(
      `<Stmt><Acct><Id><IBAN>${account}</IBAN></Id></Acct>`,
      balance('OPBD', opening),
      balance('CLBD', closingOf(truth)),
    );
    for (const { day, amount, text, reference, kind } of entries) {
      const shown = style.oldReversals && kind === 'reversal' ? 0 - amount : amount;
      const status = { booked: 'BOOK', pending: 'PDNG', reversal: 'BOOK' }[kind];
      const texts = broken(text, 140)
        .map((line) => `<Ustrd>${content(line)}</Ustrd>`)
        .join('');
      const details = (share: string) => `<TxDtls>${share}<RmtInf>${texts}</RmtInf></TxDtls>`;
      mark();
      add(`<Ntry>${money(shown)}${direction(shown)}`);
      if (kind === 'reversal') add('<RvslInd>true</RvslInd>');
      add(style.version >= 7 ? `<Sts><Cd>${status}</Cd></Sts>` : `<Sts>${status}</Sts>`);
      add(
        style.time
          ? `<BookgDt><DtTm>${day}T23:59:59+14:00</DtTm></BookgDt>`
          : `<BookgDt><Dt>${day}</Dt></BookgDt>`,
      );
      add(`<AcctSvcrRef>${reference}</AcctSvcrRef>`);
      if (style.details === 'none') add(`<AddtlNtryInf>${content(text)}</AddtlNtryInf>`);
      else
        add(
          `<NtryDtls>${details(style.details === 'split' ? `${money(shown)}${direction(shown)}` : '')}</NtryDtls>`,
        );
      add('</Ntry>');
    }
    add('</Stmt></BkToCstmrStmt></Document>');
  });
  const prefixed = file.text
    .replace(/(<\/?)(?=[A-Z][A-Za-z]+[\s>])/g, `$1${style.prefix}`)
    .replace(`<!-- <${style.prefix}`, '<!-- <');
  return { text: style.indented ? prefixed.replaceAll('\n<', '\n    <') : prefixed, lines: file.lines };
}

export const ofxStyle = fc.record({
  version: fc.constantFrom(1, 2),
  /** Elements with a text have an end tag. */
  closed: fc.boolean(),
  decimals: fc.constantFrom('.', ','),
  time: fc.constantFrom('', '120000', '235959.000[-10:HST]', '000000[+14:LINT]'),
  emptyMemo: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
});
type OfxStyle = typeof ofxStyle extends fc.Arbitrary<infer S> ? S : never;

/** OFX has neither an opening balance nor reversals. */
export function writeOfx({ account, currency, entries }: TrueStatement, style: OfxStyle): WrittenFile {
  const leaf = (name: string, text: string) =>
    `<${name}>${escaped(text)}${style.version === 2 || (style.closed && text !== '') ? `</${name}>` : ''}`;
  return withLines((add, mark) => {
    if (style.version === 1)
      add(
        ...[
          'OFXHEADER:100',
          'DATA:OFXSGML',
          'VERSION:103',
          'SECURITY:NONE',
          'ENCODING:UTF-8',
          'CHARSET:NONE',
        ],
        ...['COMPRESSION:NONE', 'OLDFILEUID:NONE', 'NEWFILEUID:NONE', ''],
      );
    else
      add(
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>',
      );
    add('<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>', leaf('CURDEF', currency));
    add(
      '<BANKACCTFROM>',
      leaf('BANKID', '121'),
      leaf('ACCTID', account),
      '</BANKACCTFROM>',
      '<BANKTRANLIST>',
    );
    for (const { day, amount, text, reference } of entries.filter(({ kind }) => kind === 'booked')) {
      mark();
      add(
        '<STMTTRN>',
        leaf('TRNTYPE', amount < 0 ? 'DEBIT' : 'CREDIT'),
        leaf('DTPOSTED', compactDay(day) + style.time),
      );
      add(leaf('TRNAMT', `${amount < 0 ? '-' : ''}${size(amount, currency).replace('.', style.decimals)}`));
      add(leaf('FITID', reference));
      if (style.emptyMemo) add(leaf('CHECKNUM', ''));
      add(leaf('MEMO', text), '</STMTTRN>');
    }
    add('</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>');
  }, style.lineEnd);
}

export const bai2Style = fc.record({
  funds: fc.constantFrom('Z', '0', 'V', 'S', 'D'),
  width: fc.constantFrom(76, 1_000),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  padded: fc.boolean(),
  continued: fc.boolean(),
});
type Bai2Style = typeof bai2Style extends fc.Arbitrary<infer S> ? S : never;

/** A group of BAI2 has one day. There are no pending entries. */
export function writeBai2(truth: TrueStatement, style: Bai2Style): WrittenFile {
  const { account, currency, opening } = truth;
  const entries = truth.entries.filter(({ kind }) => kind !== 'pending');
  const typeOf = ({ amount, kind }: TrueEntry) =>
    kind === 'reversal' ? (amount < 0 ? 552 : 252) : amount < 0 ? 475 : 165;
  const digits = (amount: number) => String(Math.abs(amount)).padStart(style.padded ? 15 : 1, '0');
  const funds = (amount: number) =>
    ({ Z: 'Z', 0: '0', V: 'V,260101,', S: `S,${Math.abs(amount)},0,0`, D: `D,1,0,${Math.abs(amount)}` })[
      style.funds
    ];
  return withLines((add, mark) => {
    add('01,122099999,123456789,260301,0200,1,80,,2/');
    let balance = opening;
    const lastDay = entries.at(-1)?.day;
    for (const day of new Set(entries.map((one) => one.day))) {
      const some = entries.filter((one) => one.day === day);
      const closing = some.reduce(
        (sum, { amount }) => sum + amount,
        day === lastDay ? balance + (truth.missing ?? 0) : balance,
      );
      add(`02,031001234,122099999,1,${shortDay(day)},2359,${currency},2/`);
      if (style.continued) add(`03,${account},${currency},010,${balance},,/`, `88,015,${closing},,/`);
      else add(`03,${account},${currency},010,${balance},,,015,${closing},,/`);
      for (const entry of some) {
        const { amount, text, reference } = entry;
        const record = `16,${typeOf(entry)},${digits(amount)},${funds(amount)},${reference},,${text}`;
        const [first = '', ...rest] = broken(record, style.width + 3);
        mark();
        add(
          first,
          ...(rest.join('') === '' ? [] : broken(rest.join(''), style.width).map((line) => `88,${line}`)),
        );
      }
      add('49,0,2/', '98,0,1,4/');
      balance = closing;
    }
    add('99,0,1,6/');
  }, style.lineEnd);
}
