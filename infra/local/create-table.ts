import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '../../shared/table/definition.ts';
import { CannotStart } from '../administration/cannot-start.ts';
import { describeTable } from '../administration/describe-table.ts';

interface CreateTableOptions {
  /** Creates the table with a stream. Default true. Bulk writes are faster without a stream. */
  stream?: boolean;
}

/**
 * Creates the table (shared/table/definition.ts) if it does not exist, and resolves when the table is active. Throws
 * CannotStart if an existing table has another schema.
 */
export async function createTable(
  client: DynamoDBClient,
  tableName: string,
  { stream = true }: CreateTableOptions = {},
): Promise<void> {
  const definition = definitionOf(tableName, stream);
  const existing = await describeTable(client, tableName);
  if (existing) {
    const [expected, actual] = [schemaOf(definition), schemaOf(existing)];
    if (expected === actual) return;
    throw new CannotStart(
      `The table "${tableName}" has another schema. Expected: ${expected}. Actual: ${actual}.`,
    );
  }
  await client.send(new CreateTableCommand(definition));
  await untilActive(client, tableName);
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: { AttributeName: tableDefinition.ttl, Enabled: true },
    }),
  );
}

async function untilActive(client: DynamoDBClient, tableName: string): Promise<void> {
  for (;;) {
    const table = await describeTable(client, tableName);
    const states = [
      table?.TableStatus,
      ...(table?.GlobalSecondaryIndexes ?? []).map((one) => one.IndexStatus),
    ];
    if (states.every((state) => state === 'ACTIVE')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The ARN of the table's stream. Throws if the table does not exist or has no stream. */
export async function streamArnOf(client: DynamoDBClient, tableName: string): Promise<string> {
  const arn = (await describeTable(client, tableName))?.LatestStreamArn;
  if (arn === undefined) throw new Error(`The table "${tableName}" has no stream.`);
  return arn;
}

function definitionOf(tableName: string, stream: boolean) {
  const { partitionKey, sortKey, indexes } = tableDefinition;
  const keys = [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])];
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keys.map((name) => ({ AttributeName: name, AttributeType: 'S' as const })),
    KeySchema: keySchema(partitionKey, sortKey),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index.partitionKey, index.sortKey),
      Projection: { ProjectionType: index.projection },
    })),
    ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: tableDefinition.stream } }),
  } satisfies CreateTableCommandInput;
}

const keySchema = (partitionKey: string, sortKey: string) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  { AttributeName: sortKey, KeyType: 'RANGE' as const },
];

/** The properties of a table that the code relies on: keys, indexes, projections and stream. */
function schemaOf(
  table: Pick<TableDescription, 'KeySchema' | 'GlobalSecondaryIndexes' | 'StreamSpecification'>,
): string {
  const keys = (schema: TableDescription['KeySchema']) => schema?.map((key) => key.AttributeName).join('+');
  const indexes = (table.GlobalSecondaryIndexes ?? [])
    .map((index) => `${index.IndexName} ${keys(index.KeySchema)} ${index.Projection?.ProjectionType}`)
    .sort();
  const { StreamEnabled, StreamViewType } = table.StreamSpecification ?? {};
  return [
    `key ${keys(table.KeySchema)}`,
    ...indexes,
    // The code reads only new images, which two types of streams contain.
    `stream ${StreamEnabled && /NEW/.test(StreamViewType ?? '') ? 'with new images' : 'without new images'}`,
  ].join(', ');
}
