import '../quiet-sdk.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { command, print } from './command.ts';
import { address } from './credentials.ts';
import { findNames } from './import/find-names.ts';
import { describeExport, importExport } from './import/import-export.ts';
import { importRows } from './import/import-rows.ts';
import { columnMapIn, mapColumns } from './import/map-columns.ts';
import { readRows } from './import/read-rows.ts';
import { rejectedPath } from './import/rejected-rows.ts';
import { resourceNamed, resourceNames } from './import/resources.ts';
import { openState } from './import/state-file.ts';
import { InvalidOption, oneOf, text } from './options.ts';
import { stage } from './service-at.ts';
import { signIn, signInNote } from './sign-in.ts';
import { addressOfStage } from './stage-address.ts';

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
      'dry-run': { type: 'flag', help: 'validates every row, and imports nothing' },
      'base-url': { type: address, help: 'URL of the API; default: the local service of DATA_DIR' },
      stage: { type: stage, help: 'stage of the service, instead of its URL' },
      json: { type: 'flag', help: 'prints the result as JSON' },
    },
    notes: [
      `${signInNote} Only a user who
is an administrator can import lookups. With --stage, the command reads the URL from the stage's stack, with the region
and credentials from the AWS environment.`,
      `Instead of the id of a team, lead source, user, merchant or ticket type, a row may contain its name. The command
then reads the names from the service, also with --dry-run.`,
      `The file FILE.import-state.jsonl records the progress. Keep it until the import is complete. Rejected rows are
written to FILE.rejected.csv with the reason, and the exit code is then 1.`,
    ],
  },
  async (
    {
      resource: name,
      file,
      map: mapFile,
      'write-map': newMap,
      'dry-run': dryRun,
      'base-url': given,
      stage: inStage,
      json,
    },
    closeAtEnd,
  ) => {
    if (given !== undefined && inStage) throw new InvalidOption('Use either --base-url or --stage.');
    const connect = async () => signIn(inStage ? await addressOfStage(inStage, closeAtEnd) : given);
    const interrupted = new AbortController();
    const { signal } = interrupted;
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.once(name, () =>
        interrupted.abort(new Error('Interrupted. Run the command again to continue.')),
      );
    if (name === 'account') {
      if (mapFile !== undefined || newMap !== undefined || dryRun)
        throw new InvalidOption('An account export cannot be combined with --map, --write-map or --dry-run.');
      const target = await connect();
      const state = openState(file, target, name);
      const sending = { client: target.client, state, signal };
      const result = await importExport(file, sending).finally(() => state.close());
      print(result, json ? undefined : describeExport(result));
      signal.throwIfAborted();
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
        json ? undefined : [`The map is in ${newMap}. Unused columns: ${listOf(unused)}.`],
      );
    }
    if (!json) print(undefined, describeMap(map));
    const target = dryRun ? undefined : await connect();
    const state = target && openState(file, target, name);
    const sending = target && state && { client: target.client, state, signal };
    const findName = findNames(async () => (target ?? (await connect())).client);
    const { errors, ...counts } = await importRows(file, resource, map, total, findName, sending).finally(
      () => state?.close(),
    );
    print({ ...counts, unused, errors }, json ? undefined : [...errors, summary(counts, dryRun, file)]);
    signal.throwIfAborted();
    if (counts.rejected > 0) process.exitCode = 1;
  },
);

function listOf(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ') || 'none';
}

function describeMap(map: Readonly<Record<string, string | null>>): string[] {
  const lines = Object.entries(map).map(([column, field]) => `  "${column}": ${field ?? 'not imported'}`);
  return ['Columns and their fields:', ...lines];
}

function summary(
  { rows, imported, known, rejected }: { rows: number; imported: number; known: number; rejected: number },
  dryRun: boolean,
  file: string,
): string {
  const where = rejected > 0 ? ` The rejected rows are in ${rejectedPath(file)}.` : '';
  return dryRun
    ? `${rows} rows, ${rows - rejected} valid, ${rejected} rejected. Nothing was imported.${where}`
    : `${rows} rows: ${imported} imported, ${known} imported before, ${rejected} rejected.${where}`;
}
