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
  /** The address for the parts of this process. Do not show it: the embedded engine accepts every request. */
  endpoint: string;
  /** The address for other programs: the door of the embedded engine. */
  door: string;
  /** True if the engine accepts requests without a valid signature. */
  isOpen: boolean;
  stream: TableStream;
  /** Resolves when the embedded engine has ended. Never resolves if the settings contain another engine's endpoint. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts an engine, and a door for other programs, or uses the configured engine. Creates the table if it does not exist. Throws
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
    return {
      endpoint: dynamoDbEndpoint,
      door: dynamoDbEndpoint,
      isOpen: false,
      stream,
      exited: new Promise(() => {}),
      stop: async () => {},
    };
  }
  const engine = await startDynamoDb({
    dbPath: ephemeral ? undefined : folder.path('table'),
    checkpoint: storedCheckpoint(folder.path('checkpoint')),
    cacheFolder: folder.path('cache'),
  });
  const server = await startTableDoor(engine.endpoint, door);
  const stop = async () => {
    await server.stop();
    await engine.stop();
  };
  try {
    const { endpoint } = engine;
    const stream = await prepareTable(endpoint, endpoint, settings);
    return { endpoint, door: server.endpoint, isOpen: true, stream, exited: engine.exited, stop };
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
