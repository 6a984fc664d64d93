import { encodingNames } from './encodings.ts';
import type { ImportResult } from './import-rows.ts';
import type { SourceFormat } from './read-rows.ts';
import { rejectedPath } from './rejected-rows.ts';

export const listOf = (names: readonly string[]): string =>
  names.map((name) => `"${name}"`).join(', ') || 'none';

/** The format of the file, and the field of each column. */
export function describeColumns(
  { encoding, delimiter, header }: SourceFormat,
  map: Readonly<Record<string, string | null>>,
): string[] {
  const separator = header.length > 0 ? `, separated by ${JSON.stringify(delimiter)}` : '';
  const firstColumns = new Map<string, string>();
  const lines = Object.entries(map).map(([column, field]) => {
    const first = field === null ? undefined : firstColumns.get(field);
    if (field !== null && first === undefined) firstColumns.set(field, column);
    return `  "${column}": ${field ?? 'not imported'}${first === undefined ? '' : `, if "${first}" is empty`}`;
  });
  return [`The file is ${encodingNames[encoding]}${separator}. Columns and their fields:`, ...lines];
}

/** The warnings, the errors, the numbers of rows, and the columns with values that were not imported. */
export function describeResult(
  { rows, created, updated, unchanged, alreadyImported, rejected, warnings, errors }: ImportResult,
  dryRun: boolean,
  file: string,
  notImported: readonly string[],
): string[] {
  const where = rejected > 0 ? ` The rejected rows are in ${rejectedPath(file)}.` : '';
  const counts = dryRun
    ? `${rows} rows, ${rows - rejected} valid, ${rejected} rejected. Nothing was imported.`
    : `${rows} rows: ${created} created, ${updated} updated, ${unchanged} unchanged, ${alreadyImported} already imported, ${rejected} rejected.`;
  const columns = notImported.length > 0 ? [`Columns that are not imported: ${listOf(notImported)}.`] : [];
  return [...warnings.map((warning) => `Warning: ${warning}`), ...errors, `${counts}${where}`, ...columns];
}
