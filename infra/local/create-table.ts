import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '../../shared/table/definition.ts';
import { CannotStart } from './cannot-start.ts';

interface Options {
  /** Whether changes go to a stream. A table without one takes bulk writes faster. Default true. */
  stream?: boolean;
}

/**
 * Creates the one table (shared/table/definition.ts) and resolves when it is active. A table of the same shape
 * that is there already is fine; one of another shape throws CannotStart, which names the difference.
 */
export async function createTable(
  client: DynamoDBClient,
  tableName: string,
  { stream = true }: Options = {},
): Promise<void> {
  const existing = await describe(client, tableName);
  if (existing) {
    const [wanted, found] = [shapeOf(definitionOf(tableName, stream)), shapeOf(existing)];
    if (wanted === found) return;
    throw new CannotStart(`The table "${tableName}" has another shape. Wanted: ${wanted}. Found: ${found}.`);
  }
  await client.send(new CreateTableCommand(definitionOf(tableName, stream)));
  while ((await describe(client, tableName))?.TableStatus !== 'ACTIVE')
    await new Promise((resolve) => setTimeout(resolve, 50));
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: { AttributeName: tableDefinition.ttl, Enabled: true },
    }),
  );
}

/** The ARN of the table's stream. Throws where there is no such table or it has no stream. */
export async function streamArnOf(client: DynamoDBClient, tableName: string): Promise<string> {
  const arn = (await describe(client, tableName))?.LatestStreamArn;
  if (arn === undefined) throw new Error(`The table "${tableName}" has no stream.`);
  return arn;
}

/** The stream that the table definition asks for, as CreateTable and UpdateTable take it. */
const streamSpecification = { StreamEnabled: true, StreamViewType: tableDefinition.stream } as const;

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
    ...(stream ? { StreamSpecification: streamSpecification } : {}),
  } satisfies CreateTableCommandInput;
}

const keySchema = (partitionKey: string, sortKey: string) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  { AttributeName: sortKey, KeyType: 'RANGE' as const },
];

/** What makes two tables the same to the code: keys, indexes, projection and stream. */
function shapeOf(
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
    `stream ${StreamEnabled ? StreamViewType : 'off'}`,
  ].join(', ');
}

async function describe(client: DynamoDBClient, tableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: tableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
