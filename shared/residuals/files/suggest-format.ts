import { decimalStyleOf } from '../../billing/bank-statements/read-amount.ts';
import { dayOrderOf } from '../../billing/bank-statements/read-day.ts';
import { mostFees, type ResidualFormatInput } from '../formats/schema.ts';
import {
  type FileCell,
  type FileRow,
  type FileSheet,
  isEmptyCell,
  textOf,
  UnreadableFile,
} from './file-cell.ts';
import { headerKey, namesOf } from './heading.ts';
import { readMicros } from './read-cells.ts';

/** The usual headers of each column, best first. */
const usualHeaders = {
  mid: [
    ...['mid', 'merchant id', 'merchant number', 'merchant no', 'merchant nbr', 'merchantid', 'mid number'],
    ...['merchant account', 'merchant account number', 'merchant', 'account number', 'location id'],
  ],
  dba: ['dba', 'dba name', 'merchant name', 'merchant dba', 'doing business as', 'business name', 'name'],
  date: ['month', 'period', 'residual month', 'processing month', 'statement month', 'date', 'month end'],
  count: [
    ...['transactions', 'transaction count', 'count', 'trans count', 'sales count', 'item count', 'items'],
    ...['number of transactions', 'txn count', 'total transactions', 'tran count', '# transactions'],
  ],
  volume: [
    ...['volume', 'sales volume', 'processing volume', 'net volume', 'gross volume', 'total volume', 'sales'],
    ...['bankcard volume', 'net sales', 'sales amount', 'umsatz', 'volumen'],
  ],
  income: [
    'income',
    'total income',
    'revenue',
    'gross income',
    'gross revenue',
    'total revenue',
    'fees collected',
  ],
  expense: [
    'expense',
    'expenses',
    'total expense',
    'total expenses',
    'cost',
    'costs',
    'total cost',
    'total costs',
  ],
  net: [
    ...[
      'net',
      'net residual',
      'residual',
      'net income',
      'net amount',
      'net profit',
      'total residual',
      'payout',
    ],
    ...['residual amount', 'agent residual', 'iso residual', 'partner residual', 'commission', 'netto'],
  ],
} as const;
type Role = keyof typeof usualHeaders;
const roles = Object.keys(usualHeaders) as Role[];

const rowsBeforeHeading = 60;
const sampleRows = 200;
/** Columns of numbers that are no amounts. */
const noAmount = /\b(?:id|number|no|nbr|zip|phone|date|mcc|rate|percent|percentage|bps|split|rep|code)\b|%/;

interface Heading {
  names: string[];
  headerRows: number;
  found: ReadonlyMap<Role, readonly string[]>;
  rows: readonly FileRow[];
}

/**
 * Suggests a format for a file by the usual headers of its columns. Throws `UnreadableFile` if no row names a column of MIDs
 * and the columns of the net amount.
 */
export async function suggestFormat(
  sheets: readonly FileSheet[],
  { processor, currency }: { processor: string; currency: string },
): Promise<ResidualFormatInput> {
  const headings: Heading[] = [];
  for (const sheet of sheets.filter(({ isHidden }) => !isHidden))
    headings.push(...headingsIn(await firstRows(sheet)));
  const [best] = headings.toSorted((one, other) => other.found.size - one.found.size);
  if (!best)
    throw new UnreadableFile(
      'The file must have a heading with a column of MIDs, such as "MID", and a column of net amounts, such as "Net". Create a format for it with POST /residual-formats.',
    );
  return formatOf(best, processor, currency);
}

async function firstRows({ rows }: FileSheet): Promise<FileRow[]> {
  const first: FileRow[] = [];
  for await (const group of rows()) {
    first.push(...group.slice(0, sampleRows - first.length));
    if (first.length >= sampleRows) break;
  }
  return first;
}

/** Returns the possible headings of a sheet, with the fewest rows first. */
const headingsIn = (rows: readonly FileRow[]): Heading[] =>
  [1, 2, 3].flatMap((headerRows) =>
    rows.slice(0, rowsBeforeHeading).flatMap((_, n): Heading[] => {
      const heading = rows.slice(n + 1 - headerRows, n + 1);
      if (n + 1 < headerRows || !isHeading(heading)) return [];
      const names = namesOf(heading);
      const found = rolesIn(names);
      const hasNet = found.has('net') || (found.has('income') && found.has('expense'));
      return found.has('mid') && hasNet ? [{ names, headerRows, found, rows: rows.slice(n + 1) }] : [];
    }),
  );

/** Rows that follow each other, of which the upper ones have several cells, because a title has only one. */
const isHeading = (rows: readonly FileRow[]): boolean =>
  rows.every(({ row }, n) => n === 0 || row === (rows[n - 1]?.row ?? 0) + 1) &&
  rows.slice(0, -1).every(({ cells }) => cells.filter((cell) => !isEmptyCell(cell)).length > 1);

const wordsOf = (name: string): string =>
  headerKey(name)
    .replace(/[_.:*#()]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the headers of each role. Several amounts below different headings are added, if none of them is a total. */
function rolesIn(names: readonly string[]): ReadonlyMap<Role, readonly string[]> {
  const found = new Map<Role, readonly string[]>();
  for (const role of roles)
    for (const usual of usualHeaders[role]) {
      if (found.has(role)) break;
      const exact = names.filter((name) => wordsOf(name) === usual);
      const below = names.filter(
        (name) => wordsOf(name.slice(name.lastIndexOf(' / ') + 3)) === usual && name.includes(' / '),
      );
      const total = below.filter((name) => /^(?:grand )?totals?\b/.test(wordsOf(name)));
      const [first, second] = [exact, total].map((some) => some.slice(0, 1));
      const headers = first?.length ? first : second?.length ? second : below;
      if (headers.length > 0 && (role !== 'mid' || headers.length === 1)) found.set(role, headers);
    }
  return found;
}

function formatOf(
  { names, headerRows, found, rows }: Heading,
  processor: string,
  currency: string,
): ResidualFormatInput {
  const header = (role: Role): string => found.get(role)?.[0] ?? '';
  const optionalHeader = (role: Role) => (found.has(role) ? { [role]: header(role) } : {});
  const amount = (role: Role) => (found.has(role) ? { [role]: { add: [...(found.get(role) ?? [])] } } : {});
  const used = new Set([...found.values()].flat());
  const columnOf = (name: string): (FileCell | undefined)[] =>
    rows.map(({ cells }) => cells[names.indexOf(name)]);
  const texts = [...used]
    .filter((name) => name !== header('mid') && name !== header('dba') && name !== header('date'))
    .flatMap((name) => columnOf(name).filter((cell) => typeof cell === 'string'));
  const decimals = decimalStyleOf(texts);
  const style = { ...(decimals && { decimals }), currency };
  const isAmount = (cells: readonly (FileCell | undefined)[]): boolean => {
    const values = cells.map((cell) => readMicros(cell, style)).filter((value) => value !== undefined);
    return values.length > 0 && values.every((value) => 'value' in value);
  };
  const fees = names
    .filter(
      (name, n) =>
        name !== '' && !used.has(name) && names.indexOf(name) === n && names.lastIndexOf(name) === n,
    )
    .filter((name) => !noAmount.test(wordsOf(name)) && name.length <= 60 && isAmount(columnOf(name)))
    .slice(0, mostFees)
    .map((name) => ({ name, add: [name] }));
  const dates = found.has('date') ? dayOrderOf(columnOf(header('date')).map(textOf)) : undefined;
  return {
    name: `${processor} residuals`,
    processor,
    headerRows,
    columns: {
      mid: header('mid'),
      ...optionalHeader('dba'),
      ...optionalHeader('date'),
      ...{ ...amount('count'), ...amount('volume'), ...amount('income'), ...amount('expense') },
      net: found.has('net')
        ? { add: [...(found.get('net') ?? [])] }
        : { add: [...(found.get('income') ?? [])], subtract: [...(found.get('expense') ?? [])] },
      ...(fees.length > 0 && { fees }),
    },
    ...(decimals && { decimals }),
    ...(dates && 'order' in dates && dates.order && { dates: dates.order }),
  };
}
