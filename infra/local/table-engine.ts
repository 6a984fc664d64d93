import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CannotStart, isUnreachable } from '../administration/cannot-start.ts';
import { storedCheckpoint } from './checkpoint.ts';
import { createTable, streamArnOf } from './create-table.ts';
import type { DataFolder } from './data-folder.ts';
import { type Door, startTableDoor } from './door.ts';
import { startDynamoDb } from './dynamodb.ts';
import type { Settings } from './settings.ts';
import { type TableStream, tableStream } from './table-stream.ts';

interface TableEngine {
  endpoint: string;
  stream: TableStream;
  /** Resolves when the embedded engine has ended. Never resolves if the settings contain another engine's endpoint. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts an engine behind a door, or uses the configured engine. Creates the table if it does not exist. Throws
 * CannotStart.
 */
export async function startTableEngine(
  settings: Settings,
  folder: DataFolder,
  door: Door,
): Promise<TableEngine> {
  const { dynamoDbEndpoint, streamsEndpoint, ephemeral } = settings;
  if (dynamoDbEndpoint !== undefined) {
    const stream = await prepareTable(dynamoDbEndpoint, streamsEndpoint ?? dynamoDbEndpoint, settings);
    return { endpoint: dynamoDbEndpoint, stream, exited: new Promise(() => {}), stop: async () => {} };
  }
  const engine = await startDynamoDb({
    dbPath: ephemeral ? undefined : folder.path('table'),
    checkpoint: storedCheckpoint(folder.path('checkpoint')),
    cacheFolder: folder.path('cache'),
  });
  const { endpoint, ...server } = await startTableDoor(engine.endpoint, door);
  const stop = async () => {
    await server.stop();
    await engine.stop();
  };
  try {
    const stream = await prepareTable(endpoint, endpoint, settings);
    return { endpoint, stream, exited: engine.exited, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepareTable(
  endpoint: string,
  streamsEndpoint: string,
  settings: Settings,
): Promise<TableStream> {
  const client = new DynamoDBClient({ endpoint });
  try {
    await createTable(client, settings.tableName);
    return tableStream(streamsEndpoint, await streamArnOf(client, settings.tableName));
  } catch (error) {
    throw isUnreachable(error) ? new CannotStart(`Cannot connect to DynamoDB at ${endpoint}.`) : error;
  } finally {
    client.destroy();
  }
}
