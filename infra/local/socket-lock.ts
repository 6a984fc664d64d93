import { createHash, randomBytes } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

/**
 * A lock on this machine. No other process can take the lock until `release` is called or the process of the
 * owner ends.
 */
interface Lock {
  release(): Promise<void>;
}

/**
 * Takes the lock `name`, a path in an existing folder. Resolves with undefined if another process has the
 * lock. Rejects if no socket can be created in the folder. The owner listens on the socket while it has the
 * lock. If the owner crashes, connections to the socket fail, so another process can take the lock. A file
 * with a process id would be less reliable, because a new process can get the same id.
 */
export async function takeLock(name: string): Promise<Lock | undefined> {
  const path = socketPath(name);
  const first = await listen(path);
  if (first !== 'taken') return first;
  const stale = inodeOf(path);
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  if ((await isListening(path)) || !moveAway(path, stale, aside)) return undefined;
  const second = await listen(path);
  // Deletes the stale socket only after the new socket exists, so that the sockets have different inode numbers. In
  // other processes, `moveAway` distinguishes the two sockets by these numbers.
  rmSync(aside);
  return second === 'taken' ? undefined : second;
}

const inodeOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;

/**
 * Renames the stale socket to `aside`. Returns false if another process has already replaced the stale socket
 * with its own, which stays at `path`.
 */
function moveAway(path: string, stale: bigint | undefined, aside: string): boolean {
  if (inodeOf(path) !== stale) return false;
  try {
    renameSync(path, aside);
  } catch {
    return false;
  }
  if (inodeOf(aside) === stale) return true;
  renameSync(aside, path);
  return false;
}

function socketPath(name: string): string {
  const absolute = join(realpathSync(dirname(name)), basename(name));
  const hash = createHash('sha256').update(absolute).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\merchant-ops-${hash}`;
  const near = relative(process.cwd(), absolute);
  const shortest = near.length < absolute.length ? near : absolute;
  // The kernel limits the path to about a hundred bytes.
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
