import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  paginateListTables,
  ResourceInUseException,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { table } from '../../shared/table/client.ts';
import { describeTable } from '../administration/describe-table.ts';

/** Returns the earliest and latest instant for a restore. Undefined if the table has no point-in-time recovery. */
export async function recoveryWindow(tableName: string): Promise<{ from: Date; to: Date } | undefined> {
  const { ContinuousBackupsDescription } = await table.send(
    new DescribeContinuousBackupsCommand({ TableName: tableName }),
  );
  const {
    PointInTimeRecoveryStatus,
    EarliestRestorableDateTime: from,
    LatestRestorableDateTime: to,
  } = ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  return PointInTimeRecoveryStatus === 'ENABLED' && from && to ? { from, to } : undefined;
}

/** Returns the name of a new drill's table. The name ends with `-drill-` and a time, so later drills can find it. */
export const drillTableName = (tableName: string, now: Date): string =>
  `${tableName}-drill-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;

const isDrillName = (name: string, tableName: string): boolean =>
  name.startsWith(`${tableName}-drill-`) && /^\d{8}T\d{6}Z$/.test(name.slice(tableName.length + 7));

/** Starts to restore a table and its indexes, as of an instant, to a new table. */
export async function startRestore(tableName: string, drillTable: string, at: Date): Promise<void> {
  await table.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: tableName,
      TargetTableName: drillTable,
      RestoreDateTime: at,
    }),
  );
}

interface PollOptions {
  /** Milliseconds since 1970. */
  deadline: number;
  signal?: AbortSignal;
  /** Called after each pause with its length in seconds. */
  advance: (seconds: number) => void;
}

/** Resolves once a table and its indexes are active. Throws at the deadline and when the signal is aborted. */
export async function waitUntilActive(tableName: string, options: PollOptions): Promise<void> {
  await poll(options, `${tableName} was not restored in time`, async () => {
    const found = await describeTable(table, tableName);
    return (
      found?.TableStatus === 'ACTIVE' &&
      (found.GlobalSecondaryIndexes ?? []).every(({ IndexStatus }) => IndexStatus === 'ACTIVE')
    );
  });
}

const removalTimeout = 10 * 60_000;

/**
 * Removes the table of a drill and resolves when it is deleted. DynamoDB cannot delete a table during its
 * restore. So this function first waits for the end of the restore, at most until ten minutes after the
 * deadline. Then it waits at most ten minutes for the removal.
 */
export async function removeDrillTable(
  drillTable: string,
  { deadline, advance }: Omit<PollOptions, 'signal'>,
): Promise<void> {
  const failure = `${drillTable} could not be removed in time. The next drill will remove it`;
  const describe = () => describeTable(table, drillTable);
  const isRestored = async () => (await describe())?.TableStatus !== 'CREATING';
  await poll({ deadline: deadline + removalTimeout, advance }, failure, isRestored);
  await poll({ deadline: Date.now() + removalTimeout, advance }, failure, async () => {
    const found = await describe();
    if (!found) return true;
    if (found.TableStatus !== 'ACTIVE') return false;
    try {
      const TableName = drillTable;
      if (found.DeletionProtectionEnabled)
        await table.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
      else await table.send(new DeleteTableCommand({ TableName }));
    } catch (error) {
      // Another change of the table is in progress. The next poll tries again.
      if (!(error instanceof ResourceInUseException)) throw error;
    }
    return false;
  });
}

/** Pauses between polls, in milliseconds. */
const [firstPause, longestPause] = [50, 5000];

async function poll(
  { deadline, signal, advance }: PollOptions,
  failure: string,
  isDone: () => Promise<boolean>,
): Promise<void> {
  for (let pause = firstPause; !(await isDone()); pause = Math.min(longestPause, pause * 2)) {
    signal?.throwIfAborted();
    if (Date.now() + pause > deadline) throw new Error(`${failure}.`);
    await sleep(pause);
    advance(pause / 1000);
  }
  signal?.throwIfAborted();
}

interface Leftover {
  name: string;
  /** The reason to keep the table; undefined if the table can be removed. */
  keep?: string;
}

/**
 * Finds the tables that earlier drills for `tableName` left behind, by their names. A table can be removed if
 * it was restored from `tableName` and has neither deletion protection nor a stream. A table with deletion
 * protection or a stream may be in use.
 */
export async function leftoverDrillTables(tableName: string): Promise<Leftover[]> {
  const source = await describeTable(table, tableName);
  const found: Leftover[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client: table }, {}))
    for (const name of TableNames.filter((one) => isDrillName(one, tableName))) {
      const candidate = await describeTable(table, name);
      if (candidate) found.push({ name, keep: reasonToKeep(candidate, source) });
    }
  return found;
}

function reasonToKeep(
  { RestoreSummary, StreamSpecification, DeletionProtectionEnabled }: TableDescription,
  source: TableDescription | undefined,
): string | undefined {
  if (!source?.TableArn || RestoreSummary?.SourceTableArn !== source.TableArn)
    return 'it was not restored from this table';
  if (StreamSpecification?.StreamEnabled) return 'it has a stream';
  return DeletionProtectionEnabled ? 'it has deletion protection' : undefined;
}
