import { progressBar } from '../../administration/progress-bar.ts';
import { buildBody, describeError, type RowError, type RowRules } from './build-body.ts';
import { type RowOutcome, type RowTarget, rowImporter } from './import-row.ts';
import { type Row, readRows, type SourceFormat } from './read-rows.ts';
import { rejectedRows } from './rejected-rows.ts';
import { concurrency } from './send-rows.ts';
import { rowKeys } from './state-file.ts';

export interface ImportResult {
  rows: number;
  created: number;
  updated: number;
  /** Rows with an existing record that was not changed. */
  unchanged: number;
  /** Rows whose record was created by an earlier import. */
  alreadyImported: number;
  rejected: number;
  /** One line for each warning and each error, in the order of the file. */
  warnings: string[];
  errors: string[];
}

interface ImportInput extends RowTarget, RowRules {
  file: string;
  format: SourceFormat;
  /** The number of rows. */
  total: number;
}

/** Validates the rows of a file. Except in a dry run, also imports the valid rows. */
export async function importRows(input: ImportInput): Promise<ImportResult> {
  const { file, format, total, resource, map, sending } = input;
  const bar = progressBar('Rows', total);
  const rejected = rejectedRows(file, format.header.length > 0 ? format.header : Object.keys(map), format);
  const [errors, warnings]: [RowError[], RowError[]] = [[], []];
  const reject = (row: Row, reasons: readonly RowError[]) => {
    errors.push(...reasons);
    rejected.add(row, reasons);
  };
  const counts: Record<RowOutcome, number> = {
    created: 0,
    updated: 0,
    unchanged: 0,
    alreadyImported: 0,
    valid: 0,
  };
  const ignored = new Map<string, number>();
  let count = 0;
  const importRow = rowImporter(input);
  const keyOf = rowKeys(resource.name);
  const rows = readRows(file, format);
  let failed = false;
  const work = async () => {
    // All workers share one generator, so each row goes to one worker. A worker's `return` does not close the
    // generator, because the wrapper has no `return` method.
    for await (const row of { [Symbol.asyncIterator]: () => ({ next: () => rows.next() }) }) {
      if (failed || sending?.signal.aborted) return;
      count += 1;
      const key = keyOf(row);
      const { line, problem, isLenient } = row;
      if (isLenient)
        warnings.push({ line, message: 'has a misplaced quotation mark, which is read as text' });
      const built = problem === undefined ? await buildBody(row, input) : undefined;
      const errors = built?.errors ?? [{ line, message: problem ?? '' }];
      const imported =
        built && errors.length === 0
          ? await importRow({ line, key, ...built })
          : ({ outcome: 'rejected', errors } as const);
      if (imported.outcome === 'rejected') reject(row, imported.errors);
      else {
        counts[imported.outcome] += 1;
        warnings.push(...imported.warnings);
        for (const { column, precedence } of built?.ignored ?? []) {
          const pair = `"${column}" was not imported, because "${precedence}" has another value`;
          ignored.set(pair, (ignored.get(pair) ?? 0) + 1);
        }
      }
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
  const rejectedCount = rejected.close();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const described = (found: RowError[]) => found.sort((a, b) => a.line - b.line).map(describeError);
  const { valid, ...sent } = counts;
  return {
    rows: count,
    ...sent,
    rejected: rejectedCount,
    warnings: [...described(warnings), ...[...ignored].map(([pair, count]) => `in ${count} rows, ${pair}`)],
    errors: described(errors),
  };
}
