import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotStart } from '../administration/cannot-start.ts';
import type { Checkpoint } from './checkpoint.ts';
import { dynamoDbLocal } from './dynamodb-local.ts';
import { type NativeEngine, nativeEngine } from './native-engine.ts';
import { prepareDataFile } from './prepare-data-file.ts';
import { type DynamoDb, runEngine } from './run-engine.ts';

interface DynamodbOptions {
  /**
   * The SQLite data file. The native engine adds only records that the relay accepts to its stream. Default: in memory, with
   * all records in the stream.
   */
  dbPath?: string;
  /**
   * The checkpoint of the data file's stream. At each start, the processed records, up to the checkpoint, are deleted.
   */
  checkpoint?: Checkpoint;
  /** The folder of the downloaded DynamoDB Local, on platforms without the native engine. */
  cacheFolder?: string;
}

/**
 * Starts a DynamoDB engine with streams and resolves when the engine serves requests. The native engine starts in
 * milliseconds. Platforms without this engine use AWS's DynamoDB Local, which starts in seconds. Throws CannotStart.
 */
export async function startDynamoDb({
  dbPath,
  checkpoint,
  cacheFolder = '.local/cache',
}: DynamodbOptions = {}): Promise<DynamoDb> {
  const native = nativeEngine();
  if (!native) return runEngine(await dynamoDbLocal(cacheFolder, dbPath));
  if (dbPath === undefined) return startInMemory(native);
  try {
    await prepareDataFile(native, dbPath, 'relayed', checkpoint);
    return await runEngine(native.on(dbPath));
  } catch (error) {
    if (/not a database|not a valid SQLite|malformed/.test(String(error)))
      throw new CannotStart(
        `The data file ${dbPath} is damaged. Restore it from a backup, or delete it to start with an empty table.`,
      );
    throw error;
  }
}

/**
 * Starts the engine on a prepared file in a temporary folder, in memory if possible, because the engine's own in-memory
 * mode cannot use a prepared file. Deletes the file when the engine has opened it, so that its space is freed when the
 * engine ends.
 */
async function startInMemory(native: NativeEngine): Promise<DynamoDb> {
  const folder = mkdtempSync(join(memoryFolder(), 'merchant-ops-engine-'));
  try {
    const dbPath = join(folder, 'table.db');
    await prepareDataFile(native, dbPath, 'all');
    return await runEngine(native.on(dbPath));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns Linux's in-memory folder if it has 1 GB of free space. Otherwise returns the temporary folder. */
function memoryFolder(): string {
  const shared = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(shared);
    return bavail * bsize >= 2 ** 30 ? shared : tmpdir();
  } catch {
    return tmpdir();
  }
}
