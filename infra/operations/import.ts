import '../quiet-sdk.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { command, print } from './command.ts';
import { address } from './credentials.ts';
import { describeExport, importExport } from './import/import-export.ts';
import { importRows } from './import/import-rows.ts';
import { columnMapIn, mapColumns } from './import/map-columns.ts';
import { readRows } from './import/read-rows.ts';
import { rejectedPath } from './import/rejected-rows.ts';
import { resourceNamed, resourceNames } from './import/resources.ts';
import { openState } from './import/state-file.ts';
import { InvalidOption, oneOf, text } from './options.ts';
import { signIn, signInNote } from './sign-in.ts';

await command(
  {
    name: 'import',
    summary: `Creates records through the API from a CSV file, a file of JSON lines (.jsonl, .ndjson) or, with the resource
"account", an account export. If the command is interrupted, run it again: rows that were imported before are skipped.`,
    options: {
      resource: {
        type: oneOf(...resourceNames, 'account'),
        required: true,
        operand: true,
        help: 'records in the file',
      },
      file: { type: text, required: true, operand: true, help: 'file to import' },
      map: {
        type: text,
        help: 'JSON file with the field of each column; default: suggested from the headers',
      },
      'write-map': { type: text, help: 'writes the map of the columns to this file, and imports nothing' },
      'dry-run': { type: 'flag', help: 'validates every row, and sends nothing' },
      'base-url': { type: address, help: 'URL of the API; default: the local service of DATA_DIR' },
      json: { type: 'flag', help: 'prints the result as JSON' },
    },
    notes: [
      `${signInNote} Only a user who is an
administrator can import lookups.`,
      `The file FILE.import-state.jsonl records the progress. Keep it until the import is complete. Rejected rows are
written to FILE.rejected.csv with the reason, and the exit code is then 1.`,
    ],
  },
  async ({
    resource: name,
    file,
    map: mapFile,
    'write-map': newMap,
    'dry-run': dryRun,
    'base-url': given,
    json,
  }) => {
    const interrupted = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
    if (name === 'account') {
      if (mapFile !== undefined || newMap !== undefined || dryRun)
        throw new InvalidOption('An account export can only be combined with --base-url and --json.');
      const target = signIn(given);
      const state = openState(file, target, name);
      const sending = { client: target.client, state, signal: interrupted.signal };
      const result = await importExport(file, sending).finally(() => state.close());
      print(result, json ? undefined : describeExport(result));
      if (interrupted.signal.aborted) throw new Error('Interrupted. Run the command again to continue.');
      if (result.rejected > 0) process.exitCode = 1;
      return;
    }
    const resource = resourceNamed(name);
    const columns = new Set<string>();
    let total = 0;
    for await (const { values } of readRows(file)) {
      total += 1;
      for (const column of Object.keys(values)) columns.add(column);
    }
    const chosen = mapFile === undefined ? {} : columnMapIn(readFileSync(mapFile, 'utf8'), resource);
    const map = mapColumns([...columns], chosen, resource);
    const unused = Object.keys(map).filter((column) => map[column] === null);
    if (newMap !== undefined) {
      writeFileSync(newMap, `${JSON.stringify(map, null, 2)}\n`, { flag: 'wx' });
      return print(
        { map },
        json ? undefined : `The map is in ${newMap}. Unused columns: ${listOf(unused)}.\n`,
      );
    }
    if (!json) process.stdout.write(describeMap(map));
    const target = dryRun ? undefined : signIn(given);
    const state = target && openState(file, target, name);
    const sending = target && state && { client: target.client, state, signal: interrupted.signal };
    const { errors, ...counts } = await importRows(file, resource, map, total, sending).finally(() =>
      state?.close(),
    );
    if (json) print({ ...counts, unused, errors });
    else {
      process.stdout.write(errors.map((error) => `${error}\n`).join(''));
      process.stdout.write(summary(counts, dryRun, file));
    }
    if (interrupted.signal.aborted) throw new Error('Interrupted. Run the command again to continue.');
    if (counts.rejected > 0) process.exitCode = 1;
  },
);

function listOf(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ') || 'none';
}

function describeMap(map: Readonly<Record<string, string | null>>): string {
  const lines = Object.entries(map).map(([column, field]) => `  "${column}": ${field ?? 'not imported'}`);
  return ['Columns and their fields:', ...lines, ''].join('\n');
}

function summary(
  { rows, imported, known, rejected }: { rows: number; imported: number; known: number; rejected: number },
  dryRun: boolean,
  file: string,
): string {
  const where = rejected > 0 ? ` The rejected rows are in ${rejectedPath(file)}.` : '';
  return dryRun
    ? `${rows} rows, ${rows - rejected} valid, ${rejected} rejected. Nothing was sent.${where}\n`
    : `${rows} rows: ${imported} imported, ${known} imported before, ${rejected} rejected.${where}\n`;
}
