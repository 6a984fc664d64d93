import type { FileReading } from '../formats/schema.ts';
import { type FileRow, type FileSheet, UnreadableFile } from './file-cell.ts';
import { columnsIn, headerKey, headersOf, isRepeated, missingHeaders, requireCurrency } from './heading.ts';
import { rowReader } from './read-row.ts';
import type { ReadingResult } from './reading-result.ts';
import type { ResidualRow } from './residual-row.ts';

/** The heading is looked for in these rows of a sheet. Titles may come before it. */
const rowsBeforeHeading = 60;
/** The most rows of a file. */
const mostRows = 200_000;

interface Context {
  reading: FileReading;
  /** The currency of the account. */
  currency: string;
  month: string;
  result: ReadingResult;
}

/**
 * Yields the rows of a file in groups, in the order of the file, and adds them to the result. Throws `UnreadableFile` if no
 * sheet has the columns of the format, or if a column is in another currency.
 */
export async function* readFileRows(
  sheets: readonly FileSheet[],
  context: Context,
): AsyncGenerator<ResidualRow[]> {
  requireCurrency(context.reading, context.currency);
  const headers = headersOf(context.reading);
  const read = { offset: 0, sheets: 0, missing: headers };
  for (const sheet of chosen(sheets, context.reading)) {
    context.result.startSheet();
    yield* readSheet(sheet, context, headers, read);
    if (context.result.rows > mostRows)
      throw new UnreadableFile(`The file must have at most ${mostRows} rows.`);
  }
  if (read.sheets === 0)
    throw new UnreadableFile(
      `The file must have the columns of the format. Missing: ${read.missing.map((one) => `"${one}"`).join(', ')}.`,
    );
}

/** Returns the sheets that the format names, or else all visible sheets. */
function chosen(sheets: readonly FileSheet[], { sheets: names }: FileReading): readonly FileSheet[] {
  if (!names || sheets.every(({ name }) => name === undefined))
    return sheets.filter(({ isHidden }) => !isHidden);
  const byKey = new Map(sheets.map((sheet) => [headerKey(sheet.name ?? ''), sheet]));
  const found = names.map((name) => {
    const sheet = byKey.get(headerKey(name));
    if (!sheet) throw new UnreadableFile(`The file must have the sheet "${name}", as the format requires.`);
    return sheet;
  });
  // A name that is repeated, possibly in another case, adds no rows.
  return [...new Set(found)];
}

interface Progress {
  /** The row numbers of the sheets that were read before. */
  offset: number;
  /** The number of sheets with the heading. */
  sheets: number;
  /** The fewest columns that a row lacks. */
  missing: readonly string[];
}

async function* readSheet(
  { name, rows }: FileSheet,
  { reading, currency, month, result }: Context,
  headers: readonly string[],
  progress: Progress,
): AsyncGenerator<ResidualRow[]> {
  const style = { decimals: reading.decimals, negatives: reading.negatives, dates: reading.dates, currency };
  const isText = name === undefined;
  let heading: FileRow[] = [];
  let readRow: ReturnType<typeof rowReader> | undefined;
  let last = 0;
  let before = 0;
  for await (const group of rows()) {
    const found: ResidualRow[] = [];
    for (const row of group) {
      last = row.row;
      if (!readRow) {
        heading = [...heading, row].slice(-reading.headerRows);
        const missing = missingHeaders(heading, headers);
        if (missing.length < progress.missing.length) progress.missing = missing;
        if (missing.length > 0) {
          before++;
          continue;
        }
        const columns = columnsIn(heading, headers);
        readRow = rowReader({ columns, reading, style, month, isText, result });
        progress.sheets++;
        continue;
      }
      if (isRepeated(row, heading.at(-1))) continue;
      const place = progress.offset + row.row;
      const one = readRow(row, isText ? { place } : { place, sheet: name, sheetRow: row.row });
      if (!one) continue;
      result.add(one);
      found.push(one);
    }
    if (found.length > 0) yield found;
    if (!readRow && before > rowsBeforeHeading) break;
    if (result.rows > mostRows) break;
  }
  progress.offset += last;
}
