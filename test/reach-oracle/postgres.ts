import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const installed = '/usr/lib/postgresql';

/** The folder of the newest installed PostgreSQL. Throws if there is none. */
function binaries(): string {
  const [version] = readdirSync(installed).sort((one, other) => Number(other) - Number(one));
  if (!version) throw new Error('Install PostgreSQL first, for example with apt-get install postgresql.');
  return join(installed, version, 'bin');
}

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** PostgreSQL refuses to run as root, so root runs it as the user of the Debian package. */
const asOwner = (command: string, args: readonly string[]): [string, string[]] =>
  process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, [...args]];

export interface Postgres {
  /** Runs a script, and returns what it prints: a line for each row, without headers. */
  run(script: string): Promise<string[]>;
  stop(): void;
}

/** Starts an empty PostgreSQL on loopback, with its data in a temporary folder. */
export async function startPostgres(): Promise<Postgres> {
  const bin = binaries();
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-postgres-'));
  chmodSync(folder, 0o777);
  const data = join(folder, 'data');
  const port = await unusedPort();
  const call = (command: string, args: readonly string[]) =>
    execFileSync(...asOwner(join(bin, command), args), { stdio: 'ignore', cwd: folder });
  call('initdb', ['-D', data, '-A', 'trust', '-U', 'owner', '--locale=C.UTF-8', '-E', 'UTF8']);
  const options = `-h 127.0.0.1 -p ${port} -k ${folder} -c fsync=off`;
  call('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start']);
  return {
    async run(script) {
      const file = join(folder, 'script.sql');
      writeFileSync(file, script, { mode: 0o644 });
      const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'owner', '-d', 'postgres'];
      const { stdout } = await promisify(execFile)(
        join(bin, 'psql'),
        [...args, '-X', '-q', '-t', '-A', '-v', 'ON_ERROR_STOP=1', '-f', file],
        { maxBuffer: 512 * 1024 * 1024 },
      );
      return stdout.split('\n').filter((line) => line !== '');
    },
    stop() {
      call('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
