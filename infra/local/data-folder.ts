import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotStart } from './cannot-start.ts';
import { takeLock } from './socket-lock.ts';

/** The folder that a runner keeps its data in, and nobody else's until it is closed. */
export interface DataFolder {
  path(content: keyof typeof contents): string;
  /** Lets the next runner in. A temporary folder goes with everything in it. */
  close(): Promise<void>;
}

/** All that a runner keeps in its folder. Whatever else is there belongs to somebody else. */
export const contents = {
  table: 'table.db',
  tableLog: 'table.db-wal',
  tableMemory: 'table.db-shm',
  /** DynamoDB Local's files, on platforms without the native engine, and its program. */
  dynamoDbLocal: 'dynamodb-local',
  cache: 'cache',
  checkpoint: 'stream-checkpoint.json',
  credentials: 'credentials.json',
  signingSecret: 'signing-secret.json',
  dataKey: 'data-key.json',
  sealKey: 'seal-key.json',
  deadLetters: 'dead-letters',
  objects: 'objects',
  mail: 'mail',
  sms: 'sms',
  addresses: 'runner.json',
} as const;

/**
 * Makes or takes the folder, which from then on is its owner's only, with all that a runner keeps in it. Throws
 * CannotStart where it cannot be used or another runner has it.
 */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CannotStart(`The data folder ${folder} cannot be made: ${(error as Error).message}.`);
  }
  const lock = await takeLock(join(folder, 'runner.sock')).catch((error) => {
    throw new CannotStart(`The data folder cannot be used: ${error.message}.`);
  });
  if (!lock)
    throw new CannotStart(
      `Another runner uses the data folder ${folder}: stop it, or choose another with DATA_DIR.`,
    );
  // A folder with the sticky bit, such as /tmp, is everybody's by design.
  if ((statSync(folder).mode & 0o1000) === 0) restrict(folder, 0o700);
  for (const name of Object.values(contents)) restrictAll(join(folder, name));
  return { path: (content) => join(folder, contents[content]), close: lock.release };
}

/** A folder for one run. */
export function temporaryDataFolder(): DataFolder {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-'));
  return {
    path: (content) => join(folder, contents[content]),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Takes everybody else's rights from a file, or from a folder and all that is in it. Links are left alone. */
function restrictAll(path: string): void {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status || status.isSymbolicLink()) return;
  restrict(path, status.isDirectory() ? 0o700 : 0o600);
  if (status.isDirectory()) for (const name of readdirSync(path)) restrictAll(join(path, name));
}

function restrict(path: string, mode: number): void {
  if (process.platform === 'win32') return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    // Another's file, or a file system without modes: worth a word and no more.
    console.error(`${path} may be read by others on this machine: ${(error as Error).message}.`);
  }
}
