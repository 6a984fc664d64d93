import { foldText } from '../../search/fold-text.ts';
import type { FileReading } from '../formats/schema.ts';
import { type FileRow, isEmptyCell, textOf, UnreadableFile } from './file-cell.ts';
import { otherCurrencyIn } from './read-cells.ts';

/** Returns a header as it is compared: without case, accents and repeated spaces. */
export const headerKey = (header: string): string =>
  foldText(header.normalize('NFKC')).replace(/\s+/g, ' ').trim();

/**
 * Returns the names of the columns of a heading of one or more rows. A cell of an upper row counts for the empty cells to its
 * right, as in merged headings. The parts of a name are joined with ` / `.
 */
export function namesOf(heading: readonly FileRow[]): string[] {
  const width = Math.max(0, ...heading.map(({ cells }) => cells.length));
  const filled = heading.map(({ cells }, level) => {
    let last = '';
    return Array.from({ length: width }, (_, at) => {
      const text = textOf(cells[at]).replace(/\s+/g, ' ').trim();
      if (level === heading.length - 1) return text;
      if (text !== '') last = text;
      return last;
    });
  });
  return Array.from({ length: width }, (_, at) =>
    filled
      .map((level) => level[at] ?? '')
      .filter((part, n, parts) => part !== '' && part !== parts[n - 1])
      .join(' / '),
  );
}

/** The headers of amounts that a format names. */
function amountHeadersOf({ columns }: Pick<FileReading, 'columns'>): string[] {
  const { count, volume, income, expense, net, fees = [] } = columns;
  return [count, volume, income, expense, net, ...fees].flatMap((one) =>
    one ? [...one.add, ...(one.subtract ?? [])] : [],
  );
}

/** The headers that a format names, each once. */
export function headersOf({ columns }: Pick<FileReading, 'columns'>): string[] {
  const { mid, dba, date } = columns;
  return [...new Set([mid, ...(dba ? [dba] : []), ...(date ? [date] : []), ...amountHeadersOf({ columns })])];
}

/** Throws `UnreadableFile` if a format names a column of amounts in another currency. */
export function requireCurrency(format: Pick<FileReading, 'columns'>, currency: string): void {
  for (const header of amountHeadersOf(format)) {
    const other = otherCurrencyIn(header, currency);
    if (other !== undefined)
      throw new UnreadableFile(
        `The column "${header}" is in ${other}. Residuals are in ${currency}: convert the amounts, and rename the column.`,
      );
  }
}

/** The columns of a sheet: the position of each header, by its key. */
export interface SheetColumns {
  at: ReadonlyMap<string, number>;
  names: readonly string[];
  /** The number of columns with a name, up to the last one. */
  width: number;
}

/** Returns the columns of a heading. Throws `UnreadableFile` if it names a needed column twice. */
export function columnsIn(heading: readonly FileRow[], headers: readonly string[]): SheetColumns {
  const names = namesOf(heading);
  const at = new Map<string, number>();
  const twice = new Set<string>();
  for (const [position, name] of names.entries()) {
    const key = headerKey(name);
    if (at.has(key)) twice.add(key);
    else at.set(key, position);
  }
  const unclear = headers.find((header) => twice.has(headerKey(header)));
  if (unclear !== undefined)
    throw new UnreadableFile(`The file has the column "${unclear}" twice. Rename one of the two columns.`);
  return { at, names, width: names.findLastIndex((name) => name !== '') + 1 };
}

/** Returns the headers that a heading lacks. */
export function missingHeaders(heading: readonly FileRow[], headers: readonly string[]): string[] {
  const keys = new Set(namesOf(heading).map(headerKey));
  return headers.filter((header) => !keys.has(headerKey(header)));
}

/** Reports whether a row repeats the last row of the heading, as at the top of a page. */
export const isRepeated = ({ cells }: FileRow, heading: FileRow | undefined): boolean =>
  heading !== undefined &&
  cells.some((cell) => !isEmptyCell(cell)) &&
  cells.every((cell, at) => headerKey(textOf(cell)) === headerKey(textOf(heading.cells[at])));
