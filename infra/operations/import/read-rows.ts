import { originalCell } from '../../../shared/neutral-cells.ts';
import { csvRecords } from './csv-records.ts';
import { decoded, type Encoding, encodingOf } from './encodings.ts';
import { addedColumns, isRejectedFile } from './rejected-columns.ts';

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
  for await (const { cells } of recordsIn(path, layout)) {
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
    const [, separator] = /^"?sep=([^\r\n"])"?(?:[\r\n]|$)/i.exec(text) ?? [];
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
  for await (const { line, cells: read, isLenient, isMerged, lastLine } of recordsIn(path, format)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const cells = isRejected ? read.slice(addedColumns.length).map(originalCell) : read;
    const values = Object.fromEntries(
      header.map((name, n) => [name, cells[n] ?? ''] as const).filter(([name]) => name !== ''),
    );
    const problem = isMerged
      ? `has a quotation mark that is not closed, so the lines ${line} to ${lastLine} were read as one row`
      : cells.length !== header.length
        ? `has ${cells.length} cells, but there are ${header.length} columns`
        : undefined;
    yield { line, values, cells, isLenient, ...(problem !== undefined && { problem }) };
  }
}

/** Yields the header and the rows of a CSV file. */
async function* recordsIn(path: string, { encoding, delimiter, hasSeparatorLine }: Layout) {
  let isSeparatorLine = hasSeparatorLine;
  for await (const record of csvRecords(decoded(path, encoding), delimiter)) {
    if (!isSeparatorLine) yield record;
    isSeparatorLine = false;
  }
}

async function* jsonRows(path: string, { encoding }: SourceFormat): AsyncGenerator<Row> {
  let line = 0;
  for await (const text of linesOf(decoded(path, encoding))) {
    line += 1;
    if (text.trim() !== '') yield { line, values: objectIn(text, line) };
  }
}

/** Splits text at CRLF, LF and CR only, because JSON may contain other line separators, such as U+2028. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    // A CR at the end of a chunk may be the first half of a CRLF.
    const lines = `${rest}${chunk}`.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield* rest.split('\r');
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
