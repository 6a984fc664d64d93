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
    on: (dbPath) => ({
      program,
      args: (port) => ['serve', '--host', '127.0.0.1', '-p', String(port), '--db-path', dbPath],
    }),
  };
}
