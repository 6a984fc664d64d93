import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { isRejectedFile, originalCell } from './neutral-cells.ts';

export interface Row {
  /** The line of the file on which the row starts, from 1. */
  line: number;
  /** Values by column. In CSV, all values are text. */
  values: Readonly<Record<string, unknown>>;
  /** The reason to reject the row, if the row has fewer cells than the header. */
  problem?: string;
}

/** Yields the text of a file, chunk by chunk. */
async function* decoded(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of createReadStream(path)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Returns UTF-8, or Windows-1252 if the file is not valid UTF-8. Reads the whole file, because any byte may be invalid. */
async function encodingOf(path: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(path)) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252';
    throw error;
  }
}

/** Reports whether a file contains JSON lines, according to its extension. All other files are CSV. */
const isJsonLines = (path: string): boolean => /\.(?:jsonl|ndjson)$/i.test(path);

/** Reads the rows of a file without loading the whole file into memory. Throws for a malformed file. */
export async function* readRows(path: string): AsyncGenerator<Row> {
  const encoding = await encodingOf(path);
  yield* isJsonLines(path) ? jsonRows(path, encoding) : csvRows(path, encoding);
}

async function* csvRows(path: string, encoding: string): AsyncGenerator<Row> {
  const parser = Readable.from(decoded(path, encoding)).pipe(
    parse({
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      delimiter: await delimiterOf(path, encoding),
    }),
  );
  let columns: string[] | undefined;
  // The cells of a corrected file of rejected rows are neutralized.
  let original = (cell: string) => cell;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      // `info.lines` is the last line of the record. Quoted cells with line breaks extend a record over
      // several lines.
      const line = info.lines - record.reduce((count, cell) => count + lineBreaksIn(cell), 0);
      if (columns) {
        const values = cellsOf(columns, record.map(original), line);
        const problem = `has ${record.length} cells, but there are ${columns.length} columns`;
        yield { line, values, ...(record.length < columns.length && { problem }) };
        continue;
      }
      if (isRejectedFile(record)) original = originalCell;
      columns = columnsIn(record.map(original));
    }
  } catch (error) {
    if (error instanceof CsvError) throw new Error(`The file is not valid CSV: ${error.message}.`);
    throw error;
  }
  if (!columns) throw new Error('The file is empty.');
}

const lineBreaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Spreadsheets in some regions separate columns with semicolons or tabs. */
async function delimiterOf(path: string, encoding: string): Promise<string> {
  for await (const text of decoded(path, encoding)) {
    const [header = ''] = text.split(/\r?\n/);
    const count = (delimiter: string) => header.split(delimiter).length;
    return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
  }
  return ',';
}

function columnsIn(record: readonly string[]): string[] {
  const names = record.map((name) => name.trim());
  const repeated = names.find((name, n) => name !== '' && names.indexOf(name) !== n);
  if (repeated !== undefined) throw new Error(`The column "${repeated}" occurs twice.`);
  return names;
}

function cellsOf(columns: readonly string[], cells: readonly string[], line: number): Record<string, string> {
  if (cells.length > columns.length)
    throw new Error(`Line ${line} has ${cells.length} cells, but there are ${columns.length} columns.`);
  return Object.fromEntries(
    columns.map((name, n) => [name, cells[n] ?? ''] as const).filter(([name]) => name !== ''),
  );
}

async function* jsonRows(path: string, encoding: string): AsyncGenerator<Row> {
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
