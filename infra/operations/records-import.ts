import { readFileSync, writeFileSync } from 'node:fs';
import type { StageSettings } from '../stage-settings.ts';
import { accountZone } from './import/account-zone.ts';
import { describeColumns, describeResult, listOf } from './import/describe-result.ts';
import { matchingFields, openExisting } from './import/find-existing.ts';
import { findNames } from './import/find-names.ts';
import { describeExport, importExport } from './import/import-export.ts';
import { importRows } from './import/import-rows.ts';
import { columnMapIn, mapColumns } from './import/map-columns.ts';
import { isEmpty, type MapValue, valuesIn } from './import/map-values.ts';
import { formatOf, readRows } from './import/read-rows.ts';
import { resourceNamed } from './import/resources.ts';
import { openState } from './import/state-file.ts';
import { InvalidOption } from './options.ts';
import { print } from './print.ts';
import { type Connection, signIn } from './sign-in.ts';
import { addressOfStage } from './stage-address.ts';

type Options = {
  map?: string;
  writeMap?: string;
  values?: string;
  match?: string;
  onMatch?: 'skip' | 'update';
  decimal?: 'point' | 'comma';
  dates?: 'mdy' | 'dmy' | 'ymd';
  zone?: string;
  dryRun?: boolean;
  baseUrl?: string;
  stage?: StageSettings;
  json?: boolean;
};

export default async function (
  {
    map: mapFile,
    writeMap: newMap,
    values: valuesFile,
    match,
    onMatch,
    decimal,
    dates,
    zone,
    dryRun = false,
    baseUrl: given,
    stage: inStage,
    json,
  }: Options,
  name: string,
  file: string,
): Promise<void> {
  if (given !== undefined && inStage) throw new InvalidOption('Use either --base-url or --stage.');
  if (onMatch !== undefined && match === undefined) throw new InvalidOption('--on-match requires --match.');
  let connection: Promise<Connection> | undefined;
  const connect = () => {
    connection ??= (async () => signIn(inStage ? await addressOfStage(inStage) : given))();
    return connection;
  };
  const interrupted = new AbortController();
  const { signal } = interrupted;
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => interrupted.abort(new Error('Interrupted. Run the command again to continue.')));
  if (name === 'account') {
    if (
      [mapFile, newMap, valuesFile, match, decimal, dates, zone].some((option) => option !== undefined) ||
      dryRun
    )
      throw new InvalidOption('An account export can be combined only with --base-url, --stage and --json.');
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
  const filled = new Set<string>();
  let total = 0;
  for await (const { values, cells = [] } of readRows(file, format)) {
    total += 1;
    for (const [column, value] of Object.entries(values)) {
      columns.add(column);
      if (!isEmpty(value)) filled.add(column);
    }
    for (const [n, name] of format.header.entries())
      if (name === '' && !isEmpty(cells[n])) filled.add(`column ${n + 1} without a name`);
  }
  const chosen = mapFile === undefined ? {} : columnMapIn(readFileSync(mapFile, 'utf8'), resource);
  const map = mapColumns([...columns], chosen, resource);
  const mapValue: MapValue =
    valuesFile === undefined ? (_, value) => value : valuesIn(readFileSync(valuesFile, 'utf8'), columns);
  const unused = Object.keys(map).filter((column) => map[column] === null);
  if (newMap !== undefined) {
    writeFileSync(newMap, `${JSON.stringify(map, null, 2)}\n`, { flag: 'wx' });
    return print({ map }, json ? undefined : [`The map is in ${newMap}. Unused columns: ${listOf(unused)}.`]);
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
    mapValue,
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
  const notImported = [...filled].filter((column) => !map[column]);
  const result = { ...imported, warnings: [...(message ? [message] : []), ...imported.warnings] };
  print(
    { ...result, unused: [...new Set([...unused, ...notImported])] },
    json ? undefined : describeResult(result, dryRun, file, notImported),
  );
  signal.throwIfAborted();
  if (result.rejected > 0) process.exitCode = 1;
}
