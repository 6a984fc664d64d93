import { renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../infra/build/endpoints.ts';

/**
 * Bundles a program of this project into one file, which Node can start without tsx. Each start with tsx takes two
 * seconds of CPU time. `source` is relative to the root. Both `source` and the bundle must be two folders below the
 * root, so that the program's relative paths are valid in both files.
 */
export async function inOneFile(source: string): Promise<string> {
  const file = join(root, '.build', 'programs', `${basename(source, '.ts')}.mjs`);
  const unfinished = `${file}.${process.pid}`;
  await build({
    entryPoints: [source],
    outfile: unfinished,
    absWorkingDir: root,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  });
  // Replaces the file atomically, because another process may be starting the previous file.
  renameSync(unfinished, file);
  return file;
}
