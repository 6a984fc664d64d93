import { foldText } from '../../search/fold-text.ts';
import { currencyCodes } from '../currencies.ts';
import { type Columns, columnsOf, knownColumns, mappingOf, missingIn, requiredIn } from './csv-columns.ts';
import { type CsvRow, csvLines, csvRows, linesOf, widthOf } from './csv-rows.ts';
import { type Direction, readDirection } from './directions.ts';
import { decimalStyleOf, readAmount, type WrittenAmount } from './read-amount.ts';
import { dayOrderOf, isDay, looksLikeDay, readDay } from './read-day.ts';
import {
  type DayOrder,
  type DecimalStyle,
  type HeldReason,
  type ReadingOptions,
  type ReadStatement,
  type StatementRow,
  UnreadableStatement,
  type UnreadReason,
} from './statement.ts';

const delimiters = [',', ';', '\t', '|'];
/** The header is looked for in these lines. Banks write titles, the owner and balances before it. */
const linesBeforeHeader = 60;

interface Header {
  delimiter: string;
  /** The index of the first line after the header. */
  start: number;
  width: number;
  columns: Columns;
  names: readonly string[];
}

/** Finds the header. Throws `UnreadableStatement` that names the missing columns. */
function headerOf(lines: readonly string[], { columns: mapping }: ReadingOptions): Header {
  const first = lines.slice(0, linesBeforeHeader);
  const [, stated] = /^sep=(.)$/i.exec(lines[0]?.trim() ?? '') ?? [];
  const found = (stated === undefined ? delimiters : [stated]).flatMap((delimiter): Header[] => {
    for (const { line, cells } of csvLines(first, delimiter)) {
      const columns = columnsOf(cells, mapping);
      if (columns) return [{ delimiter, start: line, width: widthOf(cells), columns, names: cells }];
    }
    return [];
  });
  const [best] = found.toSorted((one, other) => knownColumns(other.columns) - knownColumns(one.columns));
  if (best) return best;
  const candidates = delimiters.flatMap((delimiter) => csvLines(first, delimiter));
  if (mapping) {
    const [least = []] = candidates
      .map(({ cells }) => missingIn(cells, mapping))
      .toSorted((one, other) => one.length - other.length);
    if (least.length > 0)
      throw new UnreadableStatement(`must have the columns of the mapping: ${least.join(', ')} is missing`);
  }
  const required = candidates.map(({ cells }) => requiredIn(cells));
  const missing = required.some(({ amount }) => amount) ? 'date' : 'amount';
  throw new UnreadableStatement(`must have a header with the column ${missing}, or a mapping in \`columns\``);
}

/** The words with which banks name sums and balances below, between or above the transactions. */
const summary =
  /^(?:grand |sub)?(?:total|totals|sum|summe|saldo|balance|opening balance|closing balance|ending balance|beginning balance|starting balance|anfangssaldo|endsaldo|kontostand|gesamt|gesamtsumme|totaal|beginsaldo|eindsaldo|balance brought forward|balance carried forward|brought forward|carried forward)\b/;

const pendingWords = ['pending', 'vorgemerkt', 'pndg', 'authorized', 'authorised', 'processing', 'hold'];
const bookedWords = [
  ...['', 'posted', 'booked', 'book', 'gebucht', 'completed', 'complete', 'settled', 'cleared', 'success'],
  ...['umsatz gebucht', 'processed', 'paid', 'executed', 'ok'],
];

/**
 * Reads a statement in CSV. The header may follow other lines, and rows without a transaction may follow the rows. A row
 * that cannot be read is returned with its reason. Throws `UnreadableStatement` for a file without a header, and for dates
 * whose order is unclear.
 */
export function readCsv(text: string, options: ReadingOptions): ReadStatement {
  const lines = linesOf(text);
  const { delimiter, start, width, columns, names } = headerOf(lines, options);
  const read = (cells: readonly string[], [position]: readonly number[]) =>
    position === undefined ? '' : (cells[position]?.trim() ?? '');
  const isRow = (cells: readonly string[]) =>
    widthOf(cells) > 1 &&
    isDay(read(cells, columns.date)) &&
    amountCells(cells, columns).some((cell) => /\d/.test(cell));
  const all = [...csvRows(lines, delimiter, { start, width, isRow })];
  const table = all.filter(({ cells }) => isTransaction(cells, columns, names));
  const dates = dayOrder(
    table.map(({ cells }) => read(cells, columns.date)),
    options,
  );
  const decimals =
    options.decimals ?? decimalStyleOf(table.flatMap(({ cells }) => amountCells(cells, columns)));
  const amounts = amountColumn(columns, table);
  const hasDirection = directionIn(table, columns);
  const style = { decimals, dates, amounts, hasDirection };
  const accounts = new Set(table.map(({ cells }) => read(cells, columns.account)));
  const [account = ''] = accounts.size === 1 ? accounts : [];
  const rows = table.map((row) => rowOf(row, { columns, width, style, options }));
  const currencies = rows.flatMap((row) => ('currency' in row ? row.currency : []));
  return {
    format: 'csv',
    skipped: all.length - table.length,
    parts: [{ account, currency: currencies[0] ?? options.currency, rows }],
    style: {
      ...(dates !== undefined && { dates }),
      ...(decimals !== undefined && { decimals }),
      columns: mappingOf(names, columns, {
        amount: amounts,
        direction: hasDirection ? columns.direction : [],
      }),
    },
  };
}

const amountCells = (cells: readonly string[], { amount, debit, credit }: Columns): string[] =>
  [...amount, ...debit, ...credit]
    .map((position) => cells[position]?.trim() ?? '')
    .filter((cell) => cell !== '');

/** Reports whether a row is a transaction: not empty, no repeated header, no title, and no sum. */
function isTransaction(cells: readonly string[], columns: Columns, names: readonly string[]): boolean {
  const filled = cells.map((cell) => foldText(cell.trim())).filter((cell) => cell !== '');
  if (filled.length === 0) return false;
  if (filled.length > 1 && cells.every((cell, at) => cell.trim() === (names[at]?.trim() ?? ''))) return false;
  const date = cells[columns.date[0] ?? 0]?.trim() ?? '';
  const hasAmount = amountCells(cells, columns).length > 0;
  if (!looksLikeDay(date) && !hasAmount) return false;
  const isSum = filled.some((cell) => summary.test(cell));
  return !isSum || (looksLikeDay(date) && hasAmount);
}

function dayOrder(dates: readonly string[], options: ReadingOptions): DayOrder | undefined {
  if (options.dates) return options.dates;
  const found = dayOrderOf(dates);
  if ('order' in found) return found.order;
  throw new UnreadableStatement(
    `must have dates with one meaning: "${found.text.slice(0, 30)}" can mean ${found.days.join(' or ')}. State their order in \`dates\``,
  );
}

/** Returns the column of the amounts. Of several with the same meaning, all but one must be empty. */
function amountColumn({ amount, credit }: Columns, rows: readonly CsvRow[]): readonly number[] {
  if (credit.length > 0) return [];
  const filled = amount.filter((position) =>
    rows.some(({ cells }) => (cells[position]?.trim() ?? '') !== ''),
  );
  if (filled.length > 1)
    throw new UnreadableStatement('must have one column of amounts, or a mapping in `columns`');
  return filled.length > 0 ? filled : amount.slice(0, 1);
}

/**
 * Reports whether the direction column decides. A column such as `Type` may also contain kinds of transactions. It decides
 * if one of its values is a direction. It also decides if no amount has a sign, because nothing else shows outgoing money.
 */
function directionIn(rows: readonly CsvRow[], columns: Columns): boolean {
  const [position] = columns.direction;
  if (position === undefined || columns.credit.length > 0) return false;
  if (!columns.isKind) return true;
  const values = rows.map(({ cells }) => cells[position] ?? '').filter((value) => value.trim() !== '');
  if (values.some((value) => readDirection(value) !== undefined)) return true;
  return (
    values.length > 0 &&
    !rows.some(({ cells }) => amountCells(cells, columns).some((cell) => /[-\u2212(]/.test(cell)))
  );
}

interface RowReader {
  columns: Columns;
  width: number;
  style: {
    decimals: DecimalStyle | undefined;
    dates: DayOrder | undefined;
    amounts: readonly number[];
    hasDirection: boolean;
  };
  options: ReadingOptions;
}

function rowOf({ line, cells }: CsvRow, { columns, width, style, options }: RowReader): StatementRow {
  const read = ([position]: readonly number[]) =>
    position === undefined ? '' : (cells[position]?.trim() ?? '');
  const unread = (reason: UnreadReason, amount?: number): StatementRow => ({
    ...{ line, reason },
    ...(amount !== undefined && { amount }),
  });
  if (widthOf(cells) > width) return unread('columns_differ');
  const written = read(columns.currency).toUpperCase() || columns.headerCurrency || options.currency;
  if (!currencyCodes.includes(written)) return unread('currency_unknown');
  const day = readDay(read(columns.date), style.dates);
  const found =
    columns.credit.length > 0
      ? twoColumns(read(columns.debit), read(columns.credit), written, style.decimals)
      : oneColumn(
          read(style.amounts),
          style.hasDirection ? read(columns.direction) : undefined,
          written,
          style.decimals,
        );
  if (typeof found === 'string') return unread(found);
  const hasOwnCurrency = read(columns.currency) !== '' || columns.headerCurrency !== undefined;
  if (hasOwnCurrency && found.currency !== written) return unread('currency_unknown', found.amount);
  if (day === undefined) return unread('date_unreadable', found.amount);
  const held = heldBy(read(columns.status));
  if (held === 'unknown') return unread('status_unknown', found.amount);
  return {
    ...{ line, day, amount: found.amount, currency: found.currency },
    text: cells.join(' ¦ '),
    description: columns.description.map((position) => cells[position] ?? '').join(' '),
    bankReference: read(columns.reference),
    ...(held && { held }),
  };
}

function heldBy(status: string): HeldReason | 'unknown' | undefined {
  const word = foldText(status).trim();
  if (bookedWords.includes(word)) return undefined;
  if (pendingWords.includes(word)) return 'pending';
  return /^(?:revers|refund|return|storno|cancel)/.test(word) ? 'reversal' : 'unknown';
}

const signed = (amount: number, direction: Direction): number => (direction === 'in' ? amount : 0 - amount);

/** Reads an amount whose direction a column, a suffix or the sign decides. Contradictions are unknown directions. */
function oneColumn(
  text: string,
  direction: string | undefined,
  currency: string,
  decimals: DecimalStyle | undefined,
): WrittenAmount | UnreadReason {
  const found = readAmount(text, currency, decimals);
  if (!found) return 'amount_unreadable';
  const stated = direction === undefined ? undefined : readDirection(direction);
  if (direction !== undefined && stated === undefined) return 'direction_unknown';
  if (stated && found.direction && stated !== found.direction) return 'direction_unknown';
  const decided = stated ?? found.direction;
  if (!decided) return found;
  // A negative amount of money that left the account repeats the direction. A negative amount of money that came in
  // contradicts it.
  if (found.amount < 0 && decided === 'in') return 'direction_unknown';
  return { ...found, amount: signed(Math.abs(found.amount), decided) };
}

/** Reads the amounts of two columns, of which one is empty or zero. */
function twoColumns(
  debit: string,
  credit: string,
  currency: string,
  decimals: DecimalStyle | undefined,
): WrittenAmount | UnreadReason {
  const [out, into] = [debit, credit].map((text) =>
    text === '' || text === '-' ? undefined : (readAmount(text, currency, decimals) ?? 'unreadable'),
  );
  if (out === 'unreadable' || into === 'unreadable' || (!out && !into)) return 'amount_unreadable';
  if (out?.amount && into?.amount) return 'direction_unknown';
  if (into?.amount) return into;
  if (out) return { ...out, amount: 0 - Math.abs(out.amount) };
  return into ?? 'amount_unreadable';
}
