import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { CannotStart } from './cannot-start.ts';

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
  const lock = await takeLock(folder);
  // A folder with the sticky bit, such as /tmp, is everybody's by design.
  if ((statSync(folder).mode & 0o1000) === 0) restrict(folder, 0o700);
  for (const name of Object.values(contents)) restrictAll(join(folder, name));
  return { path: (content) => join(folder, contents[content]), close: () => release(lock) };
}

/** A folder for one run. */
export function temporaryDataFolder(): DataFolder {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-'));
  return {
    path: (content) => join(folder, contents[content]),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * A runner listens on a socket as long as it lives. Unlike a file with a process id, a socket that a crash left
 * behind accepts no connection, and so cannot be mistaken for a living runner.
 */
async function takeLock(folder: string): Promise<Server> {
  const path = socketPath(folder);
  const first = await listen(path);
  if (first !== 'taken') return first;
  const left = inodeOf(path);
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  if (!(await isListening(path)) && moveAway(path, left, aside)) {
    const second = await listen(path);
    // Only now, so that the new socket cannot have the old one's inode and be taken for it.
    rmSync(aside);
    if (second !== 'taken') return second;
  }
  throw new CannotStart(
    `Another runner uses the data folder ${folder}: stop it, or choose another with DATA_DIR.`,
  );
}

const inodeOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;

/**
 * Moves the socket that a crash left behind out of the way, and says whether it did. Where another runner was
 * faster, the socket is that one's, and stays.
 */
function moveAway(path: string, left: bigint | undefined, aside: string): boolean {
  if (inodeOf(path) !== left) return false;
  try {
    renameSync(path, aside);
  } catch {
    return false;
  }
  if (inodeOf(aside) === left) return true;
  renameSync(aside, path);
  return false;
}

function socketPath(folder: string): string {
  const absolute = join(realpathSync(folder), 'runner.sock');
  const hash = createHash('sha256').update(absolute).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\merchant-ops-${hash}`;
  const near = relative(process.cwd(), absolute);
  const shortest = near.length < absolute.length ? near : absolute;
  // The kernel takes about a hundred bytes.
  return Buffer.byteLength(shortest) < 100 ? shortest : join(tmpdir(), `merchant-ops-${hash}.sock`);
}

function listen(path: string): Promise<Server | 'taken'> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve('taken');
      else reject(new CannotStart(`The data folder cannot be used: ${error.message}.`));
    });
    server.listen(path, () => resolve(server.unref()));
  });
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

const release = (lock: Server): Promise<void> => new Promise((resolve) => lock.close(() => resolve()));

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
