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
  const lines = Object.entries(map).map(([column, field]) => `  "${column}": ${field ?? 'not imported'}`);
  return [`The file is ${encodingNames[encoding]}${separator}. Columns and their fields:`, ...lines];
}

/** The warnings, the errors and the numbers of rows. */
export function describeResult(
  { rows, created, updated, unchanged, alreadyImported, rejected, warnings, errors }: ImportResult,
  dryRun: boolean,
  file: string,
): string[] {
  const where = rejected > 0 ? ` The rejected rows are in ${rejectedPath(file)}.` : '';
  const counts = dryRun
    ? `${rows} rows, ${rows - rejected} valid, ${rejected} rejected. Nothing was imported.`
    : `${rows} rows: ${created} created, ${updated} updated, ${unchanged} unchanged, ${alreadyImported} already imported, ${rejected} rejected.`;
  return [...warnings.map((warning) => `Warning: ${warning}`), ...errors, `${counts}${where}`];
}
