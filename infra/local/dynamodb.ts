import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotStart } from './cannot-start.ts';
import type { Checkpoint } from './checkpoint.ts';
import { dynamoDbLocal } from './dynamodb-local.ts';
import { type NativeEngine, nativeEngine } from './native-engine.ts';
import { prepareDataFile } from './prepare-data-file.ts';
import { type DynamoDb, runEngine } from './run-engine.ts';

interface DynamodbOptions {
  /** The SQLite file that keeps the data; without it everything is in memory. */
  dbPath?: string;
  /** How far the stream in the data file has been worked off, so that what is done and old can go. */
  checkpoint?: Checkpoint;
  /** Where AWS's DynamoDB Local is kept once fetched, on platforms without the native engine. */
  cacheFolder?: string;
}

/**
 * Starts a DynamoDB engine with streams and resolves when it serves requests: the native one where there is a binary for
 * the platform (milliseconds), AWS's DynamoDB Local otherwise (Java 17, seconds). Throws CannotStart.
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
    await prepareDataFile(native, dbPath, checkpoint);
    return await runEngine(native.on(dbPath));
  } catch (error) {
    if (/not a database|not a valid SQLite|malformed/.test(String(error)))
      throw new CannotStart(`The data file ${dbPath} is damaged: move it away to start with an empty one.`);
    throw error;
  }
}

/**
 * The engine's own way to keep data in memory takes no prepared file. So it gets one in the system's memory, whose
 * name is taken away once it is open: however the engine ends, the memory is given back.
 */
async function startInMemory(native: NativeEngine): Promise<DynamoDb> {
  const folder = mkdtempSync(join(memoryFolder(), 'merchant-ops-engine-'));
  try {
    const dbPath = join(folder, 'table.db');
    await prepareDataFile(native, dbPath);
    return await runEngine(native.on(dbPath));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Linux's folder in memory, unless it is as small as containers have it (64 MB); then a folder on the disk. */
function memoryFolder(): string {
  const shared = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(shared);
    return bavail * bsize >= 2 ** 30 ? shared : tmpdir();
  } catch {
    return tmpdir();
  }
}
