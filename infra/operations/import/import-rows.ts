import { progressBar } from '../progress-bar.ts';
import { buildBody, columnsByField, describeError, type RowError, rowError } from './build-body.ts';
import type { CellOptions } from './convert-cell.ts';
import { type ExistingRecords, inTurns, keysOf, type Match, nounOf } from './find-existing.ts';
import type { FindName } from './find-names.ts';
import type { ColumnMap } from './map-columns.ts';
import { type Row, readRows, type SourceFormat } from './read-rows.ts';
import { rejectedRows } from './rejected-rows.ts';
import type { ImportedResource } from './resources.ts';
import { concurrency, rowSender, type Sending } from './send-rows.ts';
import { rowKeys } from './state-file.ts';

export interface ImportResult {
  rows: number;
  created: number;
  updated: number;
  /** Rows with an existing record that was not changed. */
  unchanged: number;
  /** Rows that an earlier import created. */
  alreadyImported: number;
  rejected: number;
  /** One line for each warning and each error, in the order of the file. */
  warnings: string[];
  errors: string[];
}

/** What the import does with a row that has an existing record. `report` creates a second record, and warns. */
export type OnMatch = 'report' | 'skip' | 'update';

export interface ImportInput {
  file: string;
  format: SourceFormat;
  resource: ImportedResource;
  map: ColumnMap;
  /** The number of rows. */
  total: number;
  findName: FindName;
  cells: CellOptions;
  /** The fields by which existing records are found, and the index of these records. */
  matchBy: readonly string[];
  existing: ExistingRecords;
  onMatch: OnMatch;
  /** Undefined in a dry run. */
  sending: Sending | undefined;
}

/** Validates the rows of a file. Except in a dry run, also imports the valid rows. */
export async function importRows(input: ImportInput): Promise<ImportResult> {
  const { file, format, resource, map, total, findName, cells, matchBy, existing, onMatch, sending } = input;
  const bar = progressBar('Rows', total);
  const columns = columnsByField(map);
  const rejected = rejectedRows(file, format.header.length > 0 ? format.header : Object.keys(map), format);
  const [errors, warnings]: [RowError[], RowError[]] = [[], []];
  const reject = (row: Row, reasons: readonly RowError[]) => {
    errors.push(...reasons);
    rejected.add(row, reasons);
  };
  const result = { rows: 0, created: 0, updated: 0, unchanged: 0, alreadyImported: 0 };
  const sender = sending && rowSender(sending, columns);
  const keyOf = rowKeys(resource.name);
  const inTurn = inTurns();

  /** Imports a valid row. Rows with a common key are imported one after the other. */
  const importRow = async (
    row: Row,
    key: string,
    body: Record<string, unknown>,
    given: readonly string[],
  ) => {
    const { line } = row;
    const keys = keysOf(body, matchBy);
    const isNew = !sending || sending.state.stateOf(key).state === 'new';
    const match = isNew ? existing.find(keys) : undefined;
    const warn = (message: string, { field }: Match) =>
      warnings.push(rowError(line, { field, message }, columns));
    if (match && onMatch !== 'report') {
      const { records, field } = match;
      const [record, another] = records;
      const labels = records.map(({ label }) => label).join(' and ');
      if (another || !record) {
        const message = `is the value of ${labels}, so the row does not identify one ${nounOf(resource)}`;
        return reject(row, [rowError(line, { field, message }, columns)]);
      }
      if (onMatch === 'skip' || !sender || !resource.matching) {
        result.unchanged += 1;
        const action = onMatch === 'skip' ? 'was not imported' : 'would update it';
        return void warn(`is the value of ${labels}, so the row ${action}`, match);
      }
      const fields = given.filter((name) => !Array.isArray(body[name]));
      const skipped = given.filter((name) => Array.isArray(body[name]));
      if (skipped.length > 0)
        warn(`identifies ${labels}, whose lists were not changed: ${skipped.join(', ')}`, match);
      const change = Object.fromEntries(fields.map((name) => [name, body[name]]));
      const sent = await sender.update(resource.matching, { line, key, body: change }, record);
      if (sent.outcome === 'rejected') return reject(row, sent.errors);
      result[sent.outcome] += 1;
      warnings.push(...sent.warnings);
      return;
    }
    const sent = await sender?.create(resource, { line, key, body });
    if (sent?.outcome === 'rejected') return reject(row, sent.errors);
    if (sent) {
      result[sent.outcome] += 1;
      warnings.push(...sent.warnings);
    }
    if (match && sent?.outcome !== 'alreadyImported') {
      const labels = match.records.map(({ label }) => label).join(' and ');
      warn(`is also the value of ${labels}, so the row may be a duplicate`, match);
    }
    const label = sent ? `${nounOf(resource)} ${sent.id}` : `line ${line}`;
    if (sent?.outcome !== 'alreadyImported') existing.add({ id: sent?.id ?? '', version: 1, label, keys });
  };

  const rows = readRows(file, format);
  let failed = false;
  const work = async () => {
    // All workers share one generator, so each row goes to one worker. A worker's `return` does not close the
    // generator, because the wrapper has no `return` method.
    for await (const row of { [Symbol.asyncIterator]: () => ({ next: () => rows.next() }) }) {
      if (failed || sending?.signal.aborted) return;
      result.rows += 1;
      const key = keyOf(row);
      const { line, problem, isLenient } = row;
      if (isLenient)
        warnings.push({ line, message: 'has a misplaced quotation mark, which is read as text' });
      const { body, given, errors } =
        problem === undefined
          ? await buildBody(row, map, resource, findName, cells)
          : { body: {}, given: [], errors: [{ line, message: problem }] };
      if (errors.length > 0) reject(row, errors);
      else await inTurn(keysOf(body, matchBy), () => importRow(row, key, body, given));
      bar.advance();
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: sending ? concurrency : 1 }, () =>
      work().catch((error: unknown) => {
        failed = true;
        throw error;
      }),
    ),
  ).finally(bar.end);
  const count = rejected.close();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const described = (found: RowError[]) => found.sort((a, b) => a.line - b.line).map(describeError);
  return { ...result, rejected: count, warnings: described(warnings), errors: described(errors) };
}
