import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CannotStart } from '../administration/cannot-start.ts';
import type { Engine } from './dynamodb-local.ts';

/** Dynoxide, a DynamoDB emulator that is distributed as a binary and stores its data in one SQLite file. */
export interface NativeEngine {
  version: string;
  /** The command that runs the engine on a data file. The engine creates the file if necessary. */
  on(dbPath: string): Engine;
}

/**
 * Returns the native engine: the program in the environment variable DYNOXIDE, the program of the npm package for Linux
 * x64, or `dynoxide` in PATH, in this order. Returns undefined if there is none. Throws CannotStart if DYNOXIDE or PATH
 * contains another program.
 */
export function nativeEngine(
  environment: NodeJS.ProcessEnv = process.env,
  packaged: () => NativeEngine | undefined = packagedEngine,
): NativeEngine | undefined {
  const { DYNOXIDE: configured } = environment;
  if (configured) {
    const version = versionOf(configured, environment);
    if (version === undefined)
      throw new CannotStart(`DYNOXIDE is "${configured}", but there is no such program.`);
    return engineOf(configured, version);
  }
  const inPackage = packaged();
  if (inPackage) return inPackage;
  const version = versionOf('dynoxide', environment);
  return version === undefined ? undefined : engineOf('dynoxide', version);
}

function packagedEngine(): NativeEngine | undefined {
  let description: string;
  try {
    description = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
  } catch {
    return undefined;
  }
  const { version } = JSON.parse(readFileSync(description, 'utf8')) as { version: string };
  return engineOf(join(dirname(description), 'dynoxide'), version);
}

/** Returns the version of an installed Dynoxide, or undefined if the program does not exist. */
function versionOf(program: string, env: NodeJS.ProcessEnv): string | undefined {
  const { error, stdout } = spawnSync(program, ['--version'], { env, encoding: 'utf8', timeout: 10_000 });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined;
  const [, version] = /^dynoxide (\S+)/.exec(stdout ?? '') ?? [];
  if (version !== undefined) return version;
  throw new CannotStart(
    `The program "${program}" is not Dynoxide: it does not print its version. Set DYNOXIDE to the path of Dynoxide.`,
  );
}

const engineOf = (program: string, version: string): NativeEngine => ({
  version,
  on: (dbPath) => {
    const host = unguessableAddress();
    return {
      program,
      host,
      args: (port) => ['serve', '--host', host, '-p', String(port), '--db-path', dbPath],
    };
  },
});

/**
 * Returns one of Linux's 16 million loopback addresses. The engine accepts every request, and lets pages of all origins
 * read its responses. It cannot listen on a Unix socket. So it listens where no web page finds it, and all clients use
 * the door at 127.0.0.1 (door.ts). Users of this machine can list the address; file permissions do not protect a port.
 * Other platforms have only the address 127.0.0.1.
 */
const unguessableAddress = (): string =>
  process.platform !== 'linux'
    ? '127.0.0.1'
    : `127.${[256, 256, 255].map((end) => randomInt(1, end)).join('.')}`;
