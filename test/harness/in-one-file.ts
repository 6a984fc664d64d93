import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../infra/build/endpoints.ts';

/** Packages that read their own files, or that are large. Node loads them from `node_modules`. */
const external = ['aws-cdk-lib', 'esbuild', 'node-sqlite3-wasm', '@dynoxide/*'];

/** Defines `require` and `__dirname` for packages in CommonJS format. */
const banner = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);
const __dirname = import.meta.dirname;`;

declare global {
  /** The bundles of this process, because its test files have different instances of this module. */
  var bundledPrograms: Map<string, Promise<string>> | undefined;
}

/**
 * Bundles a program of this project and its packages into one file, which Node starts without tsx. Each start with tsx
 * takes two seconds of CPU time. Each process bundles a program only once, for all its test files. `source` is relative to
 * the root. Both `source` and the bundle must be two folders below the root, so that the program's relative paths are
 * valid in both files.
 */
export function inOneFile(source: string): Promise<string> {
  globalThis.bundledPrograms ??= new Map();
  const bundled = globalThis.bundledPrograms;
  const known = bundled.get(source) ?? bundle(source);
  bundled.set(source, known);
  return known;
}

async function bundle(source: string): Promise<string> {
  const name = source.replace(/\.ts$/, '').replaceAll('/', '-');
  const file = join(root, '.build', 'programs', `${name}.mjs`);
  const unfinished = `${file}.${process.pid}`;
  await build({
    entryPoints: [source],
    outfile: unfinished,
    absWorkingDir: root,
    bundle: true,
    external,
    banner: { js: banner },
    mainFields: ['module', 'main'],
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  });
  // Replaces the file atomically, because another process may be starting the previous file.
  renameSync(unfinished, file);
  return file;
}
