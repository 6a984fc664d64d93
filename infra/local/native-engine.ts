import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Engine } from './dynamodb-local.ts';

/** Dynoxide, a DynamoDB emulator that is distributed as a binary and stores its data in one SQLite file. */
export interface NativeEngine {
  version: string;
  /** The command that runs the engine on a data file. The engine creates the file if necessary. */
  on(dbPath: string): Engine;
}

/** The native engine, or undefined if there is no binary for this platform. */
export function nativeEngine(): NativeEngine | undefined {
  let description: string;
  try {
    description = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json');
  } catch {
    return undefined;
  }
  const { version } = JSON.parse(readFileSync(description, 'utf8')) as { version: string };
  const program = join(dirname(description), 'dynoxide');
  return {
    version,
    on: (dbPath) => {
      const host = unguessableAddress();
      return {
        program,
        host,
        args: (port) => ['serve', '--host', host, '-p', String(port), '--db-path', dbPath],
      };
    },
  };
}

/**
 * Returns one of Linux's 16 million loopback addresses. The engine accepts every request, and lets pages of all origins
 * read its responses. It cannot listen on a Unix socket. So it listens where no web page finds it, and all clients use
 * the door at 127.0.0.1 (door.ts). Users of this machine can list the address; file permissions do not protect a port.
 */
const unguessableAddress = (): string => `127.${[256, 256, 255].map((end) => randomInt(1, end)).join('.')}`;
