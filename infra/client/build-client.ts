import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import project from '../../package.json' with { type: 'json' };
import { loadEndpoints, root } from '../build/endpoints.ts';
import { openApiDocument } from '../openapi/document.ts';

const source = import.meta.dirname;
const run = promisify(execFile);

/** The libraries in the bundle. The package contains their licenses, and the types of the first two libraries. */
const libraries = ['openapi-fetch', 'openapi-typescript-helpers', 'standardwebhooks', 'fast-sha256'];
const typeLibraries = libraries.slice(0, 2);

/**
 * Writes the npm package `merchant-ops-client` into a folder: one bundled file without dependencies, its types, and the
 * types of the API. Replaces the content of the folder.
 */
export async function buildClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const bundled = bundleClient(folder);
  await writeTypes(folder);
  cpSync(join(source, 'README.md'), join(folder, 'README.md'));
  writeFileSync(join(folder, 'LICENSES.txt'), libraries.map(licenseOf).join('\n\n'));
  await bundled;
}

/** Writes the code and the manifest of the package. */
export async function bundleClient(folder: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await build({
    entryPoints: [join(source, 'client.ts')],
    outfile: join(folder, 'client.js'),
    bundle: true,
    minify: true,
    alias: { '@stablelib/base64': join(source, 'base64.ts') },
    format: 'esm',
    // With this platform, the build fails if the client imports a built-in module of Node.
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  });
}

const manifest = {
  name: 'merchant-ops-client',
  version: project.version,
  description: `A client for the API of ${project.name}.`,
  license: 'SEE LICENSE IN README.md',
  type: 'module',
  exports: { '.': { types: './client.d.ts', default: './client.js' } },
  types: './client.d.ts',
  sideEffects: false,
  engines: project.engines,
};

/** Compiles the client with the generated types of the API, and writes its declarations. */
async function writeTypes(folder: string): Promise<void> {
  mkdirSync(join(root, '.build'), { recursive: true });
  // The folder is below the root, so that the compiler finds the libraries.
  const temporary = mkdtempSync(join(root, '.build', 'client-'));
  try {
    await compileTypes(folder, temporary);
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

async function compileTypes(folder: string, temporary: string): Promise<void> {
  const endpoints = await loadEndpoints();
  const contracts = endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract }));
  const document = join(temporary, 'openapi.json');
  writeFileSync(document, JSON.stringify(openApiDocument(contracts)));
  cpSync(source, temporary, {
    recursive: true,
    filter: (path) => path === source || (path.endsWith('.ts') && path !== import.meta.filename),
  });
  await run(join(source, 'node_modules', '.bin', 'openapi-typescript'), [
    document,
    '--default-non-nullable=false',
    '-o',
    join(temporary, 'api.d.ts'),
  ]);
  cpSync(join(temporary, 'api.d.ts'), join(folder, 'api.d.ts'));
  const compilerOptions = { declaration: true, emitDeclarationOnly: true, noEmit: false, outDir: folder };
  const config = join(temporary, 'tsconfig.json');
  const files = [join(temporary, 'client.ts')];
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  await run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', config]).catch(({ stdout }) => {
    throw new Error(`The client does not compile with the types of the API:\n${stdout}`);
  });
  for (const library of typeLibraries)
    cpSync(join(root, 'node_modules', library, 'dist', 'index.d.mts'), join(folder, `${library}.d.ts`));
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.d.ts') && name !== 'api.d.ts')) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replaceAll(/(from )['"]([^'"]+)['"]/g, localImport));
  }
}

/** If an import refers to a client file or to a copied library, replaces its path with the path in the package. */
const localImport = (statement: string, from: string, name: string): string =>
  name.startsWith('./') || typeLibraries.includes(name)
    ? `${from}'./${name.replace(/^\.\//, '').replace(/(\.d)?\.ts$/, '')}.js'`
    : statement;

function licenseOf(library: string): string {
  const folder = join(root, 'node_modules', library);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return `${library} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8') : ''}`.trim();
}
