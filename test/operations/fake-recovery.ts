import { CreateTableCommand, DescribeTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { onTestFinished } from 'vitest';
import { tableName } from '../../shared/table/client.ts';
import type { Item } from '../../shared/table/item.ts';
import { documents } from '../harness/documents.ts';
import { asTest, runAs, type WireResponse, watchWire } from '../harness/wire.ts';

interface Recovery {
  /** The latest restorable instant; undefined without point-in-time recovery. */
  latest: Date | undefined;
  /** The items of a restored table. */
  items: readonly Item[];
  /** Runs during a restore. The restore ends only after this function has ended. */
  meanwhile?: () => Promise<unknown>;
}

const source = tableName();
const arnOf = (name: string): string => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;

export const tableNames = async (): Promise<string[]> =>
  (await documents.send(new ListTablesCommand({}))).TableNames ?? [];

/** Creates a table with the same keys and indexes as the table of the tests. */
export async function createTableLike(name: string): Promise<void> {
  const { Table } = await documents.send(new DescribeTableCommand({ TableName: source }));
  await documents.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: Table?.KeySchema,
      AttributeDefinitions: Table?.AttributeDefinitions,
      GlobalSecondaryIndexes: Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
    }),
  );
}

/**
 * Runs `run` with a fake of DynamoDB's point-in-time recovery, which the local engine lacks. The fake
 * responds to the requests that describe, restore and delete tables. A restored table is a real table of the
 * engine. `described` contains additional descriptions of existing tables, by name.
 */
export async function withRecovery<T>(
  { latest, items, meanwhile }: Recovery,
  run: () => Promise<T>,
  described: Record<string, object> = {},
): Promise<T> {
  const descriptions = new Map<string, object>(Object.entries(described));
  const restores = new Map<string, 'CREATING' | 'ACTIVE'>();
  const restore = async (target: string) => {
    await meanwhile?.();
    await createTableLike(target);
    for (let start = 0; start < items.length; start += 25) {
      const puts = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
      await documents.send(new BatchWriteCommand({ RequestItems: { [target]: puts } }));
    }
    restores.set(target, 'ACTIVE');
  };
  const seconds = (instant: Date) => instant.getTime() / 1000;
  const responses: Record<string, (input: Record<string, unknown>) => object | undefined> = {
    DescribeContinuousBackups: () => ({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: latest
          ? {
              PointInTimeRecoveryStatus: 'ENABLED',
              EarliestRestorableDateTime: seconds(latest) - 35 * 86_400,
              LatestRestorableDateTime: seconds(latest),
            }
          : { PointInTimeRecoveryStatus: 'DISABLED' },
      },
    }),
    RestoreTableToPointInTime: ({ TargetTableName }) => {
      const target = String(TargetTableName);
      restores.set(target, 'CREATING');
      void asTest(() => restore(target));
      return { TableDescription: { TableName: target, TableStatus: 'CREATING' } };
    },
    DescribeTable: ({ TableName }) => {
      const name = String(TableName);
      if (name === source) return { Table: { TableStatus: 'ACTIVE', TableArn: arnOf(name) } };
      const state = restores.get(name);
      const Table = { TableName: name, TableStatus: state ?? 'ACTIVE', ...descriptions.get(name) };
      return state || descriptions.has(name) ? { Table } : undefined;
    },
    DeleteTable: ({ TableName }) => {
      const name = String(TableName);
      if (restores.get(name) === 'CREATING')
        throw new Error('DynamoDB cannot delete a table during its restore.');
      restores.delete(name);
      descriptions.delete(name);
      return undefined;
    },
  };
  const stop = watchWire({
    respond({ invocation, operation, input }): WireResponse | undefined {
      const output = invocation && responses[operation]?.(input);
      return output && { status: 200, output: output as Record<string, unknown> };
    },
  });
  onTestFinished(() => void stop());
  return runAs({ functionName: 'restore-drills run' }, run).finally(stop);
}

/** The description of a table that was restored from the table `name`. */
export const restoredFrom = (name: string): object => ({
  RestoreSummary: { SourceTableArn: arnOf(name), RestoreDateTime: 0, RestoreInProgress: false },
});
