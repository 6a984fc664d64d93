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
import { describeTable } from '../local/create-table.ts';

/** Between which instants a table can be restored. Undefined: it has no point-in-time recovery. */
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

/** What the table of a drill is called that begins now: no table of a stage ends like it. */
export const drillTableName = (tableName: string, now: Date): string =>
  `${tableName}-drill-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;

const isDrillName = (name: string, tableName: string): boolean =>
  name.startsWith(`${tableName}-drill-`) && /^\d{8}T\d{6}Z$/.test(name.slice(tableName.length + 7));

/** Begins to restore a table as of an instant, with its indexes, to one that is not there yet. */
export async function startRestore(tableName: string, drillTable: string, at: Date): Promise<void> {
  await table.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: tableName,
      TargetTableName: drillTable,
      RestoreDateTime: at,
    }),
  );
}

interface Patience {
  /** Milliseconds since 1970. */
  deadline: number;
  signal?: AbortSignal;
  /** Hears of each look how many seconds have passed since the one before. */
  advance: (seconds: number) => void;
}

/** Resolves once a table and its indexes can be read. Throws past the deadline, and after the signal. */
export async function waitUntilActive(tableName: string, patience: Patience): Promise<void> {
  await looking(patience, `${tableName} was not restored in time`, async () => {
    const found = await describe(tableName);
    return (
      found?.TableStatus === 'ACTIVE' &&
      (found.GlobalSecondaryIndexes ?? []).every(({ IndexStatus }) => IndexStatus === 'ACTIVE')
    );
  });
}

/** A table that can be removed is gone within so many milliseconds. */
const removedWithin = 10 * 60_000;

/**
 * Removes a table that a drill made, and resolves once it is gone. DynamoDB removes none that it is still restoring: it
 * waits for that until the deadline and ten minutes more, and ten minutes for the removal.
 */
export async function removeDrillTable(
  drillTable: string,
  { deadline, advance }: Omit<Patience, 'signal'>,
): Promise<void> {
  const stays = `${drillTable} could not be removed yet, and the next drill removes it`;
  const isRestored = async () => (await describe(drillTable))?.TableStatus !== 'CREATING';
  await looking({ deadline: deadline + removedWithin, advance }, stays, isRestored);
  await looking({ deadline: Date.now() + removedWithin, advance }, stays, async () => {
    const found = await describe(drillTable);
    if (!found) return true;
    if (found.TableStatus !== 'ACTIVE') return false;
    try {
      const TableName = drillTable;
      if (found.DeletionProtectionEnabled)
        await table.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
      else await table.send(new DeleteTableCommand({ TableName }));
    } catch (error) {
      // It is being changed: the next look finds it as it is then.
      if (!(error instanceof ResourceInUseException)) throw error;
    }
    return false;
  });
}

/** Milliseconds between two looks, from the first on. */
const [shortest, longest] = [50, 5000];

async function looking(
  { deadline, signal, advance }: Patience,
  otherwise: string,
  look: () => Promise<boolean>,
): Promise<void> {
  for (let pause = shortest; !(await look()); pause = Math.min(longest, pause * 2)) {
    signal?.throwIfAborted();
    if (Date.now() + pause > deadline) throw new Error(`${otherwise}.`);
    await sleep(pause);
    advance(pause / 1000);
  }
  signal?.throwIfAborted();
}

/** A table with the name of a drill's. */
interface LeftBehind {
  name: string;
  /** Why it stays, in words that can stand after its name; undefined of one that a drill left. */
  stays?: string;
}

/**
 * The tables that earlier drills of a table may have left. A drill's has its name, DynamoDB says that it was restored from this
 * very table, and nobody has taken it into use: it has no stream, by which functions would hear of changes, and no
 * deletion protection.
 */
export async function leftoverDrillTables(tableName: string): Promise<LeftBehind[]> {
  const source = await describe(tableName);
  const found: LeftBehind[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client: table }, {}))
    for (const name of TableNames.filter((one) => isDrillName(one, tableName))) {
      const candidate = await describe(name);
      if (candidate) found.push({ name, ...whyItStays(candidate, source) });
    }
  return found;
}

function whyItStays(
  { RestoreSummary, StreamSpecification, DeletionProtectionEnabled }: TableDescription,
  source: TableDescription | undefined,
): { stays?: string } {
  if (!source?.TableArn || RestoreSummary?.SourceTableArn !== source.TableArn)
    return { stays: 'does not say that it was restored from this table' };
  if (StreamSpecification?.StreamEnabled) return { stays: 'has a stream, so it is in use' };
  return DeletionProtectionEnabled ? { stays: 'is protected against deletion' } : {};
}

const describe = (tableName: string) => describeTable(table, tableName);
