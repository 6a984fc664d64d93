import '../quiet-sdk.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { command, print } from './command.ts';
import { address } from './credentials.ts';
import { accountZone } from './import/account-zone.ts';
import { describeColumns, describeResult, listOf } from './import/describe-result.ts';
import { matchingFields, openExisting } from './import/find-existing.ts';
import { findNames } from './import/find-names.ts';
import { describeExport, importExport } from './import/import-export.ts';
import { importRows } from './import/import-rows.ts';
import { columnMapIn, mapColumns } from './import/map-columns.ts';
import { formatOf, readRows } from './import/read-rows.ts';
import { resourceNamed, resourceNames } from './import/resources.ts';
import { openState } from './import/state-file.ts';
import { InvalidOption, oneOf, text, timeZone } from './options.ts';
import { stage } from './service-at.ts';
import { type Connection, signIn, signInNote } from './sign-in.ts';
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
      match: { type: text, help: 'fields that identify existing records, such as email,phone for leads' },
      'on-match': {
        type: oneOf('skip', 'update'),
        help: 'what to do with a row that has an existing record; default: skip, which lists the row',
      },
      decimal: { type: oneOf('point', 'comma'), help: 'decimal separator, for numbers such as 25.000' },
      dates: { type: oneOf('mdy', 'dmy', 'ymd'), help: 'order of dates such as 3/1/2026' },
      zone: {
        type: timeZone,
        help: 'time zone of times without an offset; default: the zone of the account',
      },
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
      `Ambiguous numbers such as 25.000 and dates such as 3/1/2026 are rejected without --decimal and --dates. Without --match,
the command prints a warning for each row that probably has an existing record, and creates a second one. With --match,
it lists these rows, or updates the existing records (--on-match update).`,
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
      match,
      'on-match': onMatch,
      decimal,
      dates,
      zone,
      'dry-run': dryRun,
      'base-url': given,
      stage: inStage,
      json,
    },
    closeAtEnd,
  ) => {
    if (given !== undefined && inStage) throw new InvalidOption('Use either --base-url or --stage.');
    if (onMatch !== undefined && match === undefined) throw new InvalidOption('--on-match requires --match.');
    let connection: Promise<Connection> | undefined;
    const connect = () => {
      connection ??= (async () => signIn(inStage ? await addressOfStage(inStage, closeAtEnd) : given))();
      return connection;
    };
    const interrupted = new AbortController();
    const { signal } = interrupted;
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.once(name, () =>
        interrupted.abort(new Error('Interrupted. Run the command again to continue.')),
      );
    if (name === 'account') {
      if ([mapFile, newMap, match, decimal, dates, zone].some((option) => option !== undefined) || dryRun)
        throw new InvalidOption(
          'An account export can be combined only with --base-url, --stage and --json.',
        );
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
    const format = await formatOf(file);
    const columns = new Set(format.header.filter(Boolean));
    let total = 0;
    for await (const { values } of readRows(file, format)) {
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
    if (!json) print(undefined, describeColumns(format, map));
    const matchBy = matchingFields(resource, map, match);
    const client = async () => (await connect()).client;
    const { existing, message } = await openExisting(client, resource, matchBy, {
      isRequired: match !== undefined,
      dryRun,
    });
    const target = dryRun ? undefined : await connect();
    const state = target && openState(file, target, name);
    const input = {
      file,
      format,
      resource,
      map,
      total,
      findName: findNames(client),
      cells: {
        decimal,
        dates,
        zone: zone === undefined ? accountZone(connect) : async () => ({ value: zone }),
      },
      matchBy,
      existing,
      onMatch: match === undefined ? ('report' as const) : (onMatch ?? 'skip'),
      sending: target && state && { client: target.client, state, signal },
    };
    const imported = await importRows(input).finally(() => state?.close());
    const result = { ...imported, warnings: [...(message ? [message] : []), ...imported.warnings] };
    print({ ...result, unused }, json ? undefined : describeResult(result, dryRun, file));
    signal.throwIfAborted();
    if (result.rejected > 0) process.exitCode = 1;
  },
);
