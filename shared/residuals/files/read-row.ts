import { foldText } from '../../search/fold-text.ts';
import { AmountTooLarge, addMicros, type Micros, microsPerUnit } from '../amounts/micros.ts';
import type { AmountColumns, FileReading } from '../formats/schema.ts';
import { type FileCell, type FileRow, isEmptyCell, textOf } from './file-cell.ts';
import { headerKey, type SheetColumns } from './heading.ts';
import type { ProblemReason } from './problems.ts';
import { type CellStyle, readMicros, readMid, readMonth } from './read-cells.ts';
import type { ReadingResult } from './reading-result.ts';
import type { ResidualRow } from './residual-row.ts';

/** What decides how the rows of a sheet are read. */
interface SheetReading {
  columns: SheetColumns;
  reading: FileReading;
  style: CellStyle;
  month: string;
  /** True if a row with more cells than the heading is rejected, as in a text with an unquoted comma. */
  isText: boolean;
  result: ReadingResult;
}

/** The words with which files name the sum of all rows, and sums of some rows. */
const totalLabel =
  /^(?:(?:grand|report|file|overall)[ -]?)?(?:totals?|sum|summe|gesamt|gesamtsumme)(?: (?:net|residuals?|amount|for .*|\d.*))?\s*[:(]?.{0,3}$/;
const grandLabel = /^(?:grand|report|file|overall)/;
const partLabel = /^sub[ -]?totals?\b/;
/** A word that no MID contains. Names of sums do, such as `Agent Total` or `Total Merchants: 2`. */
const sumWord = /\b(?:(?:sub)?totals?|summe|gesamt(?:summe)?)\b/;

/** The number of its rows, which a total may have in the column of MIDs. MIDs are longer. */
const countOfRows = /^\d{1,5}$/;

/** The longest name of a merchant that is kept. */
const longestName = 100;

interface Place {
  place: number;
  sheet?: string;
  sheetRow?: number;
}

/** A rejected cell. `report` adds it to the problems. */
class Rejection {
  readonly reason: ProblemReason;
  readonly column: string;
  readonly text: string;
  constructor(reason: ProblemReason, column: string, text: string) {
    this.reason = reason;
    this.column = column;
    this.text = text;
  }
}

type Amount = Micros | Rejection | undefined;

/** Returns a function that reads the rows below a heading. It returns undefined for totals, notes and rejected rows. */
export function rowReader({
  columns,
  reading,
  style,
  month,
  isText,
  result,
}: SheetReading): (row: FileRow, place: Place) => ResidualRow | undefined {
  const positionOf = (header: string): number => columns.at.get(headerKey(header)) ?? -1;
  const termsOf = ({ add, subtract = [] }: AmountColumns) => [
    ...add.map((header) => ({ header, at: positionOf(header), sign: 1 })),
    ...subtract.map((header) => ({ header, at: positionOf(header), sign: -1 })),
  ];
  const { mid, dba, date, net, fees = [] } = reading.columns;
  const midAt = positionOf(mid);
  const netTerms = termsOf(net);
  const names = ['count', 'volume', 'income', 'expense'] as const;
  const amounts = names.flatMap((name) => {
    const own = reading.columns[name];
    return own ? [{ name, terms: termsOf(own) }] : [];
  });
  const named = fees.map((fee) => ({ name: fee.name, terms: termsOf(fee) }));

  const amountOf = ({ cells }: FileRow, terms: ReturnType<typeof termsOf>): Amount => {
    let sum: Micros | undefined;
    for (const { header, at, sign } of terms) {
      const found = readMicros(cells[at], style);
      if (!found) continue;
      if ('rejected' in found) return new Rejection(found.rejected, header, textOf(cells[at]));
      sum = added(sum ?? 0, sign * found.value);
      if (sum === undefined) return new Rejection('too_large', header, textOf(cells[at]));
    }
    return sum;
  };

  /** Reports a rejected amount, and returns undefined for it. */
  const kept = (amount: Amount, place: Place): Micros | undefined => {
    if (!(amount instanceof Rejection)) return amount;
    result.report({ ...place, ...amount });
    return undefined;
  };

  const reject = (place: Place, problem: Rejection): undefined => {
    result.rejectedRows++;
    result.report({ ...place, ...problem });
  };

  /** Reads a row without a MID: a total, a note, or a row that lacks its MID. */
  const withoutMid = (row: FileRow, place: Place): undefined => {
    const label = labelOf(row.cells);
    const amount = amountOf(row, netTerms);
    if (label !== undefined && partLabel.test(label)) return;
    if (label !== undefined && totalLabel.test(label)) {
      if (typeof amount === 'number') result.state(amount, grandLabel.test(label));
      else kept(amount, place);
      return;
    }
    if (amount === undefined) return;
    if (amount === result.sheetSum && label === undefined) result.state(amount, false);
    else reject(place, new Rejection('mid_missing', mid, ''));
  };

  return (row, place): ResidualRow | undefined => {
    const { cells } = row;
    const found = readMid(cells[midAt]);
    if (!found || isLabel(cells[midAt])) return withoutMid(row, place);
    if (isText && row.cells.findLastIndex((cell) => !isEmptyCell(cell)) >= columns.width)
      return reject(place, new Rejection('columns_differ', mid, textOf(cells[midAt])));
    if ('rejected' in found) return reject(place, new Rejection(found.rejected, mid, textOf(cells[midAt])));
    const amount = amountOf(row, netTerms);
    if (amount instanceof Rejection) return reject(place, amount);
    if (amount === undefined) {
      // A line with a text in the column of the MIDs and no amount is a title or a note.
      if (amounts.some(({ terms }) => amountOf(row, terms) !== undefined))
        return reject(place, new Rejection('net_missing', net.add[0] ?? '', ''));
      return undefined;
    }
    const isSum = sumWord.test(foldedLabel(cells[midAt]));
    const isWhole = amount === result.sheetSum;
    const label = isWhole || countOfRows.test(found.value) ? (labelOf(cells) ?? '') : '';
    if (totalLabel.test(label) || (isSum && isWhole)) return result.state(amount, grandLabel.test(label));
    if (isSum) return reject(place, new Rejection('mid_unreadable', mid, textOf(cells[midAt])));
    const read: ResidualRow = { ...place, mid: found.value, net: amount };
    const name = dba === undefined ? '' : textOf(cells[positionOf(dba)]).replace(/\s+/g, ' ').trim();
    if (name !== '') read.dba = name.slice(0, longestName);
    for (const { name: of, terms } of amounts) {
      const value = kept(amountOf(row, terms), place);
      if (value !== undefined && of !== 'count') read[of] = value;
      else if (value !== undefined && value % microsPerUnit === 0) read.count = value / microsPerUnit;
      else if (value !== undefined)
        result.report({
          ...place,
          reason: 'not_a_number',
          column: terms[0]?.header,
          text: String(value / microsPerUnit),
        });
    }
    const readFees = named.flatMap(({ name: of, terms }) => {
      const value = kept(amountOf(row, terms), place);
      return value === undefined ? [] : [[of, value] as const];
    });
    if (readFees.length > 0) read.fees = Object.fromEntries(readFees);
    if (date !== undefined) checkMonth(cells[positionOf(date)], date, place);
    return read;
  };

  function checkMonth(cell: FileCell | undefined, column: string, place: Place): void {
    if (cell === undefined || isEmptyCell(cell)) return;
    const found = readMonth(cell, style);
    if (found === month) return;
    const reason = found === undefined ? 'date_unreadable' : 'other_month';
    result.report({ ...place, reason, column, text: textOf(cell) });
  }
}

function added(one: Micros, other: Micros): Micros | undefined {
  try {
    return addMicros(one, other);
  } catch (error) {
    if (error instanceof AmountTooLarge) return undefined;
    throw error;
  }
}

const foldedLabel = (cell: FileCell | undefined): string =>
  typeof cell === 'string' ? foldText(cell).replace(/\s+/g, ' ').trim() : '';

const isLabel = (cell: FileCell | undefined): boolean => {
  const label = foldedLabel(cell);
  return totalLabel.test(label) || partLabel.test(label);
};

/** Returns the first text of a row that is no number, in the form in which it is compared. */
function labelOf(cells: readonly (FileCell | undefined)[]): string | undefined {
  return cells.map(foldedLabel).find((text) => /[a-z]{3}/.test(text));
}
