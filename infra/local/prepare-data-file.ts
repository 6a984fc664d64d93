import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/endpoints.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { NativeEngine } from './native-engine.ts';
import { optimizeDataFile, type StreamContent, statements } from './optimize-data-file.ts';
import { runEngine } from './run-engine.ts';

/**
 * This folder has empty data files, for each version of the engine and each of the `statements`. A new data file is a copy of
 * such a file.
 */
const cache = join(root, '.build', 'data-files');

/**
 * Creates the native engine's data file with the `statements`, or executes them on an existing file. An unknown schema is
 * only logged: writes work, but become slower as the file grows. Throws if the file is damaged.
 */
export async function prepareDataFile(
  engine: NativeEngine,
  dbPath: string,
  stream: StreamContent,
  checkpoint?: Checkpoint,
): Promise<void> {
  if (existsSync(dbPath)) await optimize(engine, dbPath, stream, checkpoint);
  else copyAtomically(await emptyDataFile(engine, stream), dbPath);
}

async function emptyDataFile(engine: NativeEngine, stream: StreamContent): Promise<string> {
  const hash = createHash('sha256').update(statements[stream]).digest('hex').slice(0, 8);
  const path = join(cache, `${engine.version}-${hash}.db`);
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, 'creating-'));
  try {
    const created = join(scratch, 'table.db');
    await (await runEngine(engine.on(created))).stop();
    await optimize(engine, created, stream);
    renameSync(created, path);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return path;
}

async function optimize(
  engine: NativeEngine,
  dbPath: string,
  stream: StreamContent,
  checkpoint?: Checkpoint,
): Promise<void> {
  const problem = (await isOpenElsewhere(engine, dbPath))
    ? 'another engine has it open'
    : await optimizeDataFile(dbPath, stream, checkpoint);
  if (problem !== undefined)
    console.error(
      `The data file ${dbPath} cannot be optimized, so writes become slower as it grows: ${problem}.`,
    );
}

/**
 * Reports whether another engine has the file open. If a write-ahead log exists, starts and stops an engine, which
 * removes the log of a killed engine. If the log still exists, a running engine uses the file.
 */
async function isOpenElsewhere(engine: NativeEngine, dbPath: string): Promise<boolean> {
  const log = `${dbPath}-wal`;
  for (let attempt = 1; existsSync(log) && attempt <= 5; attempt++)
    await (await runEngine(engine.on(dbPath))).stop();
  return existsSync(log);
}

/** Copies a file. Only the owner may access the copy. SQLite gives its write-ahead log the same mode. */
function copyAtomically(source: string, target: string): void {
  copyFileSync(source, `${target}.new`);
  chmodSync(`${target}.new`, 0o600);
  renameSync(`${target}.new`, target);
}
