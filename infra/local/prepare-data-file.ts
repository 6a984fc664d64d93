import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/endpoints.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { NativeEngine } from './native-engine.ts';
import { optimizeDataFile, statements } from './optimize-data-file.ts';
import { runEngine } from './run-engine.ts';

/** Holds an empty data file for each version of the engine, made once and copied for every engine that starts. */
const shelf = join(root, '.build', 'data-files');

/**
 * Makes the native engine's data file where there is none, with the index that keeps it fast, and gives the index
 * to one that has none. A file whose schema is not the known one is reported and left as it is: the engine serves
 * it all the same, and slows down as it grows. Throws where the file is damaged.
 */
export async function prepareDataFile(
  engine: NativeEngine,
  dbPath: string,
  checkpoint?: Checkpoint,
): Promise<void> {
  if (existsSync(dbPath)) await improve(engine, dbPath, checkpoint);
  else copyWhole(await emptyDataFile(engine), dbPath);
}

async function emptyDataFile(engine: NativeEngine): Promise<string> {
  const hash = createHash('sha256').update(statements).digest('hex').slice(0, 8);
  const path = join(shelf, `${engine.version}-${hash}.db`);
  if (existsSync(path)) return path;
  mkdirSync(shelf, { recursive: true });
  const scratch = mkdtempSync(join(shelf, 'making-'));
  try {
    const made = join(scratch, 'table.db');
    await (await runEngine(engine.on(made))).stop();
    await improve(engine, made, undefined);
    renameSync(made, path);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return path;
}

async function improve(
  engine: NativeEngine,
  dbPath: string,
  checkpoint: Checkpoint | undefined,
): Promise<void> {
  const apiError = (await isOpenElsewhere(engine, dbPath))
    ? 'another engine still has it open'
    : await optimizeDataFile(dbPath, checkpoint);
  if (apiError !== undefined)
    console.error(`The data file ${dbPath} is served without its index, slower as it grows: ${apiError}.`);
}

/**
 * A log beside the file is an engine's that was killed or is about to be. Engines can tell which by their locks,
 * and the last one to let go clears the log away.
 */
async function isOpenElsewhere(engine: NativeEngine, dbPath: string): Promise<boolean> {
  const log = `${dbPath}-wal`;
  for (let attempt = 1; existsSync(log) && attempt <= 5; attempt++)
    await (await runEngine(engine.on(dbPath))).stop();
  return existsSync(log);
}

/** A crash leaves no half of it. The engine gives the log beside it the same mode. */
function copyWhole(source: string, target: string): void {
  copyFileSync(source, `${target}.new`);
  chmodSync(`${target}.new`, 0o600);
  renameSync(`${target}.new`, target);
}
