import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../build/endpoints.ts';
import type { BundledFunction, Manifest } from '../build/manifest.ts';
import { takeLock } from './socket-lock.ts';

/** What a build made, in a folder that no other build touches. */
interface Bundles {
  manifest: Manifest;
  /** All of it, with `metafile.json`. */
  folder: string;
  /** The folder of a function. */
  folderOf(bundled: BundledFunction): string;
}

/** Everything that decides what a build makes, relative to the root. */
export const sources = [
  'functions',
  'events',
  'shared',
  'infra/build',
  'infra/contract-schemas.ts',
  'infra/openapi',
  'infra/rights',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
const shelf = join(root, '.build', 'local');
/** Runners of other sources may still load their functions from here. */
const kept = 3;

/**
 * The bundles that are deployed, built from the sources as they are. A build takes seconds, so it is kept under a
 * hash of its sources and found again by the next start; and the next build, of a test or a deployment, does not
 * pull the functions from under a service that runs. Of several processes that want the same one makes it.
 */
export async function bundles(): Promise<Bundles> {
  const hash = hashOf(sources);
  const folder = await builtFolder(hash);
  markUsed(folder);
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  return { manifest, folder, folderOf: ({ name }) => join(folder, name) };
}

/** Whether the bundles of the sources as they are need not be built any more. */
export const areBuilt = (): boolean => existsSync(join(shelf, hashOf(sources)));

/** The folder of a build of these sources, once there is one, whoever made it. */
async function builtFolder(hash: string): Promise<string> {
  const folder = join(shelf, hash);
  mkdirSync(shelf, { recursive: true });
  while (!existsSync(folder)) {
    const lock = await takeLock(join(root, '.build', `${hash}.sock`));
    if (!lock) await sleep(100);
    else
      try {
        // Whoever had the lock before may have built them.
        if (!existsSync(folder)) return await buildInto(folder, hash);
      } finally {
        await lock.release();
      }
  }
  return folder;
}

/** Builds the sources of this hash into a folder, or into another where they change meanwhile; returns which. */
async function buildInto(folder: string, hash: string): Promise<string> {
  const scratch = `.build/local/building-${process.pid}`;
  // The builder takes as long to load as everything else here, and most starts find their bundles.
  const { build, endBundler } = await import('../build/build.ts');
  const manifest = await build(scratch);
  await endBundler();
  writeFileSync(join(root, scratch, 'manifest.json'), JSON.stringify(manifest));
  // Where somebody saved a file in the meantime, what was built belongs to no hash.
  const whole = hashOf(sources) === hash ? folder : join(shelf, `changing-${process.pid}`);
  rmSync(whole, { recursive: true, force: true });
  renameSync(join(root, scratch), whole);
  markUsed(whole);
  removeOldest();
  return whole;
}

const markUsed = (folder: string): void => utimesSync(folder, new Date(), new Date());

function removeOldest(): void {
  const byAge = readdirSync(shelf)
    .map((name) => ({ path: join(shelf, name), used: statSync(join(shelf, name)).mtimeMs }))
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
