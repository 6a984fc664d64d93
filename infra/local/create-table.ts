import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '../../shared/table/definition.ts';
import { CannotStart } from './cannot-start.ts';

interface CreateTableOptions {
  /** Whether changes go to a stream. A table without one takes bulk writes faster. Default true. */
  stream?: boolean;
  /** Whether a table that only lacks indexes gets them, as one that an earlier version made. Default false. */
  addIndexes?: boolean;
}

/**
 * Creates the one table (shared/table/definition.ts) and resolves when it is active. A table of the same shape
 * that is there already is fine, with `addIndexes` also one that lacks indexes, one after the other; one of another shape
 * throws CannotStart, which names the difference.
 */
export async function createTable(
  client: DynamoDBClient,
  tableName: string,
  { stream = true, addIndexes = false }: CreateTableOptions = {},
): Promise<void> {
  const definition = definitionOf(tableName, stream);
  const existing = await describeTable(client, tableName);
  if (existing) {
    const [wanted, found] = [shapeOf(definition), shapeOf(existing)];
    if (wanted === found) return;
    const missing = addIndexes ? missingIndexes(definition, existing) : [];
    if (missing.length === 0)
      throw new CannotStart(
        `The table "${tableName}" has another shape. Wanted: ${wanted}. Found: ${found}.`,
      );
    for (const index of missing) await addIndex(client, definition, index);
    return;
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

type Index = ReturnType<typeof definitionOf>['GlobalSecondaryIndexes'][number];

/** The indexes with which a table would be as it is defined; none where anything else differs. */
function missingIndexes(definition: ReturnType<typeof definitionOf>, existing: TableDescription): Index[] {
  const present = existing.GlobalSecondaryIndexes ?? [];
  const missing = definition.GlobalSecondaryIndexes.filter(
    ({ IndexName }) => !present.some((index) => index.IndexName === IndexName),
  );
  const completed = { ...existing, GlobalSecondaryIndexes: [...present, ...missing] };
  return shapeOf(completed) === shapeOf(definition) ? missing : [];
}

/** Adds an index with what the table holds, and resolves when it can be read: a table takes one at a time. */
async function addIndex(
  client: DynamoDBClient,
  { TableName, AttributeDefinitions }: ReturnType<typeof definitionOf>,
  index: Index,
): Promise<void> {
  const keys = index.KeySchema.map(({ AttributeName }) => AttributeName);
  await client.send(
    new UpdateTableCommand({
      TableName,
      AttributeDefinitions: AttributeDefinitions.filter(({ AttributeName }) => keys.includes(AttributeName)),
      GlobalSecondaryIndexUpdates: [{ Create: index }],
    }),
  );
  await untilActive(client, TableName);
}

/** Resolves when the table and all its indexes are there. */
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

/** The ARN of the table's stream. Throws where there is no such table or it has no stream. */
export async function streamArnOf(client: DynamoDBClient, tableName: string): Promise<string> {
  const arn = (await describeTable(client, tableName))?.LatestStreamArn;
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

/** What DynamoDB says of a table; undefined if there is none. */
export async function describeTable(
  client: DynamoDBClient,
  tableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: tableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
