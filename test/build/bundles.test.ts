import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Metafile } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import { build } from '../../infra/build/build.ts';
import { loadEndpoints, root } from '../../infra/build/endpoints.ts';

const folder = `.build/test-${process.pid}`;
const manifest = await build(folder);
const metafile = JSON.parse(readFileSync(join(root, folder, 'metafile.json'), 'utf8')) as Metafile;
afterAll(() => rmSync(join(root, folder), { recursive: true }));

/** Functions that carry the whole API's description in their bundle. */
const tellers = ['service-read-docs', 'service-read-openapi'];

it('there is a bundle for every endpoint, named after its file', async () => {
  const files = (await loadEndpoints()).map(({ name }) => name);
  expect(manifest.endpoints.map(({ name }) => name)).toEqual(files);
});

it('every bundle loads, and offers its handler', async () => {
  for (const { name, folder: bundle } of [...manifest.endpoints, manifest.relay, ...manifest.consumers]) {
    const { handler } = await import(pathToFileURL(join(root, bundle, 'entry.mjs')).href);
    expect(handler, name).toBeTypeOf('function');
  }
});

it('no bundle carries a schema compiler, the credential chain, event streams or the schemas', () => {
  for (const [output, { inputs }] of Object.entries(metafile.outputs))
    for (const input of Object.keys(inputs))
      expect(input, output).not.toMatch(
        /ajv\/dist\/compile|ajv-formats|node_modules\/.*(credential-provider-node|event-streams|typebox)/,
      );
});

it('no bundle grows past 285 KB', () => {
  const sizes = manifest.endpoints.filter(({ name }) => !tellers.includes(name));
  for (const { name, bytes } of [...sizes, manifest.relay, ...manifest.consumers]) {
    expect(bytes, name).toBeGreaterThan(1000);
    expect(bytes, name).toBeLessThan(285 * 1024);
  }
});
