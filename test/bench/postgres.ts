import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

interface Postgres {
  version: string;
  /** The folder of the socket. The server listens on no port. */
  socketFolder: string;
  stop(): Promise<void>;
}

const debianFolder = '/usr/lib/postgresql';

/** Returns the folder with `initdb` and `postgres`; undefined if PostgreSQL is not installed. */
function programFolder(): string | undefined {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  return [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debianFolder, version, 'bin')),
  ].find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** PostgreSQL refuses to run as root, so root starts it as the user `postgres`. */
function otherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts a new, empty PostgreSQL in a temporary folder. Returns undefined if PostgreSQL is not installed. */
export async function startPostgres(): Promise<Postgres | undefined> {
  const programs = programFolder();
  if (programs === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  const user = otherUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust'], {
    ...options,
    stdio: 'ignore',
  });
  const version = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' });
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-k', folder, '-h', ''], {
    ...options,
    stdio: 'ignore',
  });
  const exited = once(server, 'exit');
  const deadline = Date.now() + 30_000;
  // PostgreSQL writes `ready` as the last line of this file.
  const isReady = () => {
    const file = join(data, 'postmaster.pid');
    return existsSync(file) && /ready\s*$/.test(readFileSync(file, 'utf8'));
  };
  while (!isReady()) {
    if (Date.now() > deadline) throw new Error('PostgreSQL did not start within 30 s.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    version: version.match(/\d+(\.\d+)?/)?.[0] ?? '',
    socketFolder: folder,
    async stop() {
      // SIGINT is PostgreSQL's fast shutdown.
      server.kill('SIGINT');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
