import { createHash } from 'node:crypto';
import {
  cpSync,
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
import { root } from '../build/endpoints.ts';
import type { BundledFunction, Manifest } from '../build/manifest.ts';

/** What a build made, in a folder that no other build touches. */
export interface Bundles {
  manifest: Manifest;
  /** The folder of a function. */
  folderOf(bundled: BundledFunction): string;
}

/** Everything that decides what a build makes, relative to the root. */
const sources = [
  'functions',
  'events',
  'shared',
  'infra/build',
  'infra/openapi',
  'package-lock.json',
  'tsconfig.json',
];
const shelf = join(root, '.build', 'local');
/** Runners of other sources may still load their functions from here. */
const kept = 3;

/**
 * The bundles that are deployed, built from the sources as they are. A build takes seconds, so it is kept under a
 * hash of its sources and found again by the next start; and the next build, of a test or a deployment, does not
 * pull the functions from under a service that runs.
 */
export async function bundles(): Promise<Bundles> {
  const hash = hashOf(sources);
  let folder = join(shelf, hash);
  if (!existsSync(folder)) {
    const scratch = `.build/local/building-${process.pid}`;
    // The builder takes as long to load as everything else here, and most starts find their bundles.
    const { build, endBundler } = await import('../build/build.ts');
    const manifest = await build(scratch);
    await endBundler();
    // Somebody saved a file in the meantime: what was built belongs to no hash.
    if (hashOf(sources) !== hash) folder = join(shelf, `changing-${process.pid}`);
    keep(folder, manifest);
    rmSync(join(root, scratch), { recursive: true });
  }
  utimesSync(folder, new Date(), new Date());
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  return { manifest, folderOf: ({ name }) => join(folder, name) };
}

/** Puts a build on the shelf as a whole, and takes the oldest ones off. */
function keep(folder: string, manifest: Manifest): void {
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const all = [...manifest.endpoints, ...manifest.consumers, ...manifest.schedules, manifest.relay];
  for (const bundled of all)
    cpSync(join(root, bundled.folder), join(unfinished, bundled.name), { recursive: true });
  writeFileSync(join(unfinished, 'manifest.json'), JSON.stringify(manifest));
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
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
