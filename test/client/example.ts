import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { root } from '../../infra/build/endpoints.ts';
import { buildClient, bundleClient } from '../../infra/client/build-client.ts';

/**
 * Builds the package, so that programs in `folder` can import `merchant-ops-client`. Returns the folder of
 * the package. If `parts` is `code`, no type declarations are built, which saves most of the time.
 */
export async function installClient(folder: string, parts: 'all' | 'code' = 'all'): Promise<string> {
  const installed = join(folder, 'node_modules', 'merchant-ops-client');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await (parts === 'all' ? buildClient : bundleClient)(installed);
  return installed;
}

/** The TypeScript blocks of the package's README. */
export const programs = (): string[] =>
  [...readFileSync(join(root, 'infra/client/README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, program = '']) => program,
  );

/**
 * Compiles programs that import the package, and checks the package's declarations. The keys of `sources` are
 * the names of the programs. Returns the errors as text.
 */
export async function compileErrors(folder: string, sources: Record<string, string>): Promise<string> {
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, `${name}.ts`), source);
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  };
  const config = join(folder, 'tsconfig.json');
  const files = Object.keys(sources).map((name) => `${name}.ts`);
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const compiler = join(root, 'node_modules/.bin/tsc');
  return promisify(execFile)(compiler, ['-p', config], { cwd: folder }).then(
    () => '',
    ({ stdout }) => stdout,
  );
}

/** Removes the types of a program and imports it. */
export async function load<Exports>(folder: string, name: string, program: string): Promise<Exports> {
  const file = join(folder, `${name}.js`);
  writeFileSync(file, (await transform(program, { loader: 'ts' })).code);
  return import(file);
}
