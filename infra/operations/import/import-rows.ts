import { progressBar } from '../progress-bar.ts';
import { buildBody, columnsByField, describeError, type RowError } from './build-body.ts';
import type { FindName } from './find-names.ts';
import type { ColumnMap } from './map-columns.ts';
import { type Row, readRows } from './read-rows.ts';
import { rejectedRows } from './rejected-rows.ts';
import type { ImportedResource } from './resources.ts';
import { concurrency, rowSender, type Sending } from './send-rows.ts';
import { rowKeys } from './state-file.ts';

export interface ImportResult {
  rows: number;
  imported: number;
  /** Rows that an earlier run imported. */
  known: number;
  rejected: number;
  /** One line for each error, in the order of the file. */
  errors: string[];
}

/** Validates the `total` rows of a file. If `sending` is given, also imports the valid rows. */
export async function importRows(
  file: string,
  resource: ImportedResource,
  map: ColumnMap,
  total: number,
  findName: FindName,
  sending: Sending | undefined,
): Promise<ImportResult> {
  const bar = progressBar('Rows', total);
  const rejected = rejectedRows(file, Object.keys(map));
  const found: RowError[] = [];
  const reject = (row: Row, errors: readonly RowError[]) => {
    found.push(...errors);
    rejected.add(row, errors);
  };
  const result = { rows: 0, imported: 0, known: 0 };
  const send = sending && rowSender(sending, columnsByField(map));
  const keyOf = rowKeys(resource.name);
  const rows = readRows(file);
  let failed = false;
  const work = async () => {
    // All workers share one generator, so each row goes to one worker. A worker's `return` does not close the
    // generator, because the wrapper has no `return` method.
    for await (const row of { [Symbol.asyncIterator]: () => ({ next: () => rows.next() }) }) {
      if (failed || sending?.signal.aborted) return;
      result.rows += 1;
      const key = keyOf(row);
      const { line, problem } = row;
      const { body, errors } =
        problem === undefined
          ? await buildBody(row, map, resource, findName)
          : { body: {}, errors: [{ line, message: problem }] };
      if (errors.length > 0) reject(row, errors);
      else if (send) {
        const sent = await send(resource, { line, key, body });
        if (sent.outcome === 'rejected') reject(row, sent.errors);
        else result[sent.outcome] += 1;
      }
      bar.advance();
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: send ? concurrency : 1 }, () =>
      work().catch((error: unknown) => {
        failed = true;
        throw error;
      }),
    ),
  ).finally(bar.end);
  const count = rejected.close();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const errors = found.sort((a, b) => a.line - b.line).map(describeError);
  return { ...result, rejected: count, errors };
}
