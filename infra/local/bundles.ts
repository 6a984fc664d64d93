import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CannotStart } from '../administration/cannot-start.ts';
import { root } from '../build/endpoints.ts';
import type { Manifest } from '../build/manifest.ts';
import { takeLock } from './socket-lock.ts';

/** The result of a build. No other build writes to `folder`. */
interface Bundles {
  manifest: Manifest;
  folder: string;
}

/** All inputs of a build, relative to the root. */
export const sources = [
  'functions',
  'events',
  'shared',
  'infra/build',
  'infra/contract-schemas.ts',
  'infra/local/function-worker.ts',
  'infra/local/lambda.ts',
  'infra/local/record-invocation.ts',
  'infra/local/record-table-calls.ts',
  'infra/openapi',
  'infra/rights',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
const cache = join(root, '.build', 'local');
/** The number of builds to keep. Running services may still load functions from older builds. */
const kept = 3;

/**
 * Returns bundles of the current sources. All bundles can run in one process. A build takes seconds, so builds are
 * cached by a hash of the sources. Later builds do not change the functions of a running service. If several processes
 * need the same build, only one process builds, and the other processes wait.
 */
export async function bundles(): Promise<Bundles> {
  const hash = hashOf(sources);
  const folder = await builtFolder(hash);
  markUsed(folder);
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  return { manifest, folder };
}

/** Reports whether the bundles of the current sources are in the cache. */
export const areBuilt = (): boolean => existsSync(join(cache, hashOf(sources)));

/** Returns the folder of the build with this hash. Runs the build first if necessary. */
async function builtFolder(hash: string): Promise<string> {
  const folder = join(cache, hash);
  mkdirSync(cache, { recursive: true });
  while (!existsSync(folder)) {
    const lock = await takeLock(join(root, '.build', `${hash}.sock`));
    if (!lock) await sleep(100);
    else
      try {
        // Another process may have finished the build before this process took the lock.
        if (!existsSync(folder)) return await buildInto(folder, hash);
      } finally {
        await lock.release();
      }
  }
  return folder;
}

/** Builds into the folder, or into a new folder if the sources change during the build. Returns the used folder. */
async function buildInto(folder: string, hash: string): Promise<string> {
  const scratch = `.build/local/building-${process.pid}`;
  await runBuild(scratch);
  const built = hashOf(sources) === hash ? folder : join(cache, `changing-${process.pid}`);
  rmSync(built, { recursive: true, force: true });
  renameSync(join(root, scratch), built);
  markUsed(built);
  removeOldest();
  return built;
}

/** Runs the build in a process that ends with this process. Throws CannotStart if the build fails. */
async function runBuild(scratch: string): Promise<void> {
  const build = fork(join(import.meta.dirname, 'build-bundles.ts'), [scratch], {
    execArgv: ['--import', 'tsx'],
    cwd: root,
  });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new CannotStart('The functions could not be built.');
}

const markUsed = (folder: string): void => utimesSync(folder, new Date(), new Date());

function removeOldest(): void {
  const byAge = readdirSync(cache)
    .map((name) => ({ path: join(cache, name), used: statSync(join(cache, name)).mtimeMs }))
    .sort((one, other) => other.used - one.used);
  for (const { path } of byAge.slice(kept)) rmSync(path, { recursive: true, force: true });
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of paths.flatMap((path) => filesBelow(path)).sort()) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

function filesBelow(path: string): string[] {
  if (!existsSync(join(root, path))) return [];
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
