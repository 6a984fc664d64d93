import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { CannotStart } from './cannot-start.ts';

/** The folder that a runner keeps its data in, and nobody else's until it is closed. */
export interface DataFolder {
  /** The path of something in the folder. */
  path(name: string): string;
  /** Lets the next runner in. A temporary folder goes with everything in it. */
  close(): Promise<void>;
}

/** The file of the native engine. */
export const tableFile = 'table.db';

/** Makes or takes the folder. Throws CannotStart where it cannot be used or another runner has it. */
export async function openDataFolder(folder: string): Promise<DataFolder> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CannotStart(`The data folder ${folder} cannot be made: ${(error as Error).message}.`);
  }
  const lock = await takeLock(folder);
  return { path: (name) => join(folder, name), close: () => release(lock) };
}

/** A folder for one run. */
export function temporaryDataFolder(): DataFolder {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-'));
  return {
    path: (name) => join(folder, name),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * A runner listens on a socket as long as it lives. Unlike a file with a process id, a socket that a crash left
 * behind refuses connections, and so cannot be mistaken for a living runner.
 */
async function takeLock(folder: string): Promise<Server> {
  const path = socketPath(folder);
  const first = await listen(path);
  if (first !== 'taken') return first;
  if (!(await somebodyAnswers(path))) {
    rmSync(path, { force: true });
    const second = await listen(path);
    if (second !== 'taken') return second;
  }
  throw new CannotStart(
    `Another runner uses the data folder ${folder}: stop it, or choose another with DATA_DIR.`,
  );
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

function somebodyAnswers(path: string): Promise<boolean> {
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
