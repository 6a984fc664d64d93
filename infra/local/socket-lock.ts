import { createHash, randomBytes } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

/** Something that one process of this machine has, and no other until it is given back or the process ends. */
interface Lock {
  release(): Promise<void>;
}

/**
 * Takes the lock of this name, a path in a folder that is there; undefined where a living process has it. Whoever has it
 * listens on a socket. Unlike a file with a process id, a socket that a crash left behind accepts no connection, and so
 * cannot be mistaken for a living process. Rejects where the folder takes no socket.
 */
export async function takeLock(name: string): Promise<Lock | undefined> {
  const path = socketPath(name);
  const first = await listen(path);
  if (first !== 'taken') return first;
  const left = inodeOf(path);
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  if ((await isListening(path)) || !moveAway(path, left, aside)) return undefined;
  const second = await listen(path);
  // Only now, so that the new socket cannot have the old one's inode and be taken for it.
  rmSync(aside);
  return second === 'taken' ? undefined : second;
}

const inodeOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;

/**
 * Moves the socket that a crash left behind out of the way, and says whether it did. Where another process was
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

function socketPath(name: string): string {
  const absolute = join(realpathSync(dirname(name)), basename(name));
  const hash = createHash('sha256').update(absolute).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\merchant-ops-${hash}`;
  const near = relative(process.cwd(), absolute);
  const shortest = near.length < absolute.length ? near : absolute;
  // The kernel takes about a hundred bytes.
  return Buffer.byteLength(shortest) < 100 ? shortest : join(tmpdir(), `merchant-ops-${hash}.sock`);
}

function listen(path: string): Promise<Lock | 'taken'> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve('taken');
      else reject(error);
    });
    server.listen(path, () => resolve({ release: () => close(server) }));
    server.unref();
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

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
