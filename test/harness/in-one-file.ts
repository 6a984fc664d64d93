import { renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../infra/build/endpoints.ts';

/**
 * A program of ours, relative to the root, as one file that Node starts without tsx, which takes the processor two
 * seconds for every start. It lies two folders below the root, as its source must, and finds from there what that does.
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
  // Another process may be starting the one from before.
  renameSync(unfinished, file);
  return file;
}
