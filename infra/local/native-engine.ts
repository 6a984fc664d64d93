import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Engine } from './dynamodb-local.ts';

/** The emulator that comes as a binary and keeps its data in one SQLite file. */
export interface NativeEngine {
  version: string;
  /** How to run it on a data file, which it makes where there is none. */
  on(dbPath: string): Engine;
}

/** The native engine, or undefined where there is no binary for this platform. */
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
