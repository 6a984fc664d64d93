import { createInterface } from 'node:readline';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { decoded, type Encoding, encodingOf } from './encodings.ts';
import { addedColumns, isRejectedFile, originalCell } from './neutral-cells.ts';

/** The format of a file of rows. JSON lines have only an encoding; their other properties are defaults. */
export interface SourceFormat {
  encoding: Encoding;
  delimiter: string;
  lineBreak: '\n' | '\r\n';
  /** Whether the first line is `sep=` and the delimiter, which Excel reads. */
  hasSeparatorLine: boolean;
  /** The cells of the header, without the columns that the import added to a file of rejected rows. */
  header: readonly string[];
  /** Whether the import wrote the file. Its first columns are `addedColumns`, and its cells are neutralized. */
  isRejected: boolean;
}

export interface Row {
  /** The line of the file on which the row starts, from 1. */
  line: number;
  /** Values by column. In CSV, all values are text. */
  values: Readonly<Record<string, unknown>>;
  /** The cells of a CSV row, including the cells of columns without a name. */
  cells?: readonly string[];
  /** The reason to reject the row, if its cells do not fit the header. */
  problem?: string;
  /** Whether a quotation mark was read as text, although CSV does not allow it in this place. */
  isLenient?: boolean;
}

/** Reports whether a file contains JSON lines, according to its extension. All other files are CSV. */
const isJsonLines = (path: string): boolean => /\.(?:jsonl|ndjson)$/i.test(path);

/** Reads the format of a file. Throws for an empty or undecodable file, and for a header with a repeated name. */
export async function formatOf(path: string): Promise<SourceFormat> {
  const encoding = await encodingOf(path);
  const json = { encoding, delimiter: ',', lineBreak: '\n', hasSeparatorLine: false } as const;
  if (isJsonLines(path)) return { ...json, header: [], isRejected: false };
  const layout = { ...json, ...(await layoutOf(path, encoding)) };
  for await (const { cells } of csvRecords(path, layout)) {
    const isRejected = isRejectedFile(cells);
    const header = (isRejected ? cells.slice(addedColumns.length).map(originalCell) : cells).map((name) =>
      name.trim(),
    );
    const repeated = header.find((name, n) => name !== '' && header.indexOf(name) !== n);
    if (repeated !== undefined) throw new Error(`The column "${repeated}" occurs twice.`);
    return { ...layout, header, isRejected };
  }
  throw new Error('The file is empty.');
}

type Layout = Omit<SourceFormat, 'header' | 'isRejected'>;

/** Spreadsheets in some regions separate columns with semicolons or tabs. */
async function layoutOf(path: string, encoding: Encoding): Promise<Partial<Layout>> {
  for await (const text of decoded(path, encoding)) {
    const lineBreak = /\r?\n/.exec(text)?.[0] as Layout['lineBreak'] | undefined;
    const breaks = lineBreak && { lineBreak };
    const [, separator] = /^"?sep=([^\r\n])"?(?:[\r\n]|$)/i.exec(text) ?? [];
    if (separator !== undefined) return { ...breaks, delimiter: separator, hasSeparatorLine: true };
    const [header = ''] = text
      .replace(/^[\r\n]+/, '')
      .replaceAll(/"[^"]*"/g, '')
      .split(/[\r\n]/);
    const count = (delimiter: string) => header.split(delimiter).length;
    const delimiter = [',', ';', '\t', '|'].reduce((best, one) => (count(one) > count(best) ? one : best));
    return { ...breaks, delimiter };
  }
  return {};
}

/** Reads the rows of a file without loading the whole file into memory. Skips rows of empty cells. */
export async function* readRows(path: string, format: SourceFormat): AsyncGenerator<Row> {
  const rows = isJsonLines(path) ? jsonRows(path, format) : csvRows(path, format);
  for await (const row of rows)
    if (Object.values(row.cells ?? row.values).some((value) => String(value ?? '').trim() !== '')) yield row;
}

async function* csvRows(path: string, format: SourceFormat): AsyncGenerator<Row> {
  const { header, isRejected } = format;
  let isHeader = true;
  for await (const { line, cells: read, isLenient, lastLine } of csvRecords(path, format)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const cells = isRejected ? read.slice(addedColumns.length).map(originalCell) : read;
    const values = Object.fromEntries(
      header.map((name, n) => [name, cells[n] ?? ''] as const).filter(([name]) => name !== ''),
    );
    const problem =
      lastLine !== line
        ? `has a quotation mark that is not closed, so the lines ${line} to ${lastLine} were read as one row`
        : cells.length !== header.length
          ? `has ${cells.length} cells, but there are ${header.length} columns`
          : undefined;
    yield { line, values, cells, isLenient, ...(problem !== undefined && { problem }) };
  }
}

interface CsvRecord {
  line: number;
  /** The last line of a record that is too long because a quotation mark is not closed. Otherwise the same as `line`. */
  lastLine: number;
  cells: string[];
  isLenient: boolean;
}

/** Yields the header and the rows of a CSV file. Reads misplaced quotation marks as text. */
async function* csvRecords(path: string, layout: Layout, readFrom?: number): AsyncGenerator<CsvRecord> {
  const { encoding, delimiter, hasSeparatorLine } = layout;
  const parser = parse({
    info: true,
    raw: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    delimiter,
    ...(readFrom !== undefined && { quote: false, from_line: readFrom }),
  });
  // An error of the decoder ends the loop below. If the caller stops the loop, the file is closed.
  pipeline(Readable.from(decoded(path, encoding)), parser, () => undefined);
  let isSeparatorLine = hasSeparatorLine && (readFrom ?? 1) === 1;
  let end = 0;
  try {
    for await (const { record, raw, info } of parser as AsyncIterable<{
      record: string[];
      raw: string;
      info: { lines: number };
    }>) {
      // `info.lines` is the last line of the record. Quoted cells with line breaks extend a record over
      // several lines.
      end = info.lines;
      const line = end - record.reduce((count, cell) => count + lineBreaksIn(cell), 0);
      if (isSeparatorLine) {
        isSeparatorLine = false;
        continue;
      }
      const rest = outsideOfQuotes(raw, delimiter);
      const isLenient = rest.includes('"');
      yield {
        line,
        lastLine: isLenient ? line + lineBreaksIn(rest.trim()) : line,
        cells: isLenient ? record.map(withoutOuterQuotes) : record,
        isLenient,
      };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code !== 'CSV_QUOTE_NOT_CLOSED')
      throw new Error(`The file is not valid CSV: ${error.message}.`);
    // The last quotation mark of the file opens a cell that does not end. It is read as text.
    yield* csvRecords(path, layout, end + 1);
  }
}

const lineBreaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Removes the correctly quoted cells from the text of a record. */
function outsideOfQuotes(raw: string, delimiter: string): string {
  if (!raw.includes('"')) return '';
  const edge = `[\r\n${delimiter.replace(/[\\\]^-]/, '\\$&')}]`;
  return raw.replaceAll(new RegExp(`(?<=^|${edge})"(?:[^"]|"")*"(?=${edge}|$)`, 'g'), '');
}

/** Converts `"Joe "The Boss" Diner"` to `Joe "The Boss" Diner`: the second mark follows a space, so it opens a quotation. */
const withoutOuterQuotes = (cell: string): string => cell.replace(/^"([^"]*\s"\S.*)"$/s, '$1');

async function* jsonRows(path: string, { encoding }: SourceFormat): AsyncGenerator<Row> {
  const lines = createInterface({
    input: Readable.from(decoded(path, encoding)),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() !== '') yield { line, values: objectIn(text, line) };
  }
}

function objectIn(text: string, line: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The error below reports the line.
  }
  throw new Error(`Line ${line} is not a JSON object.`);
}
