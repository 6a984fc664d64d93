import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Metafile } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { build } from '../../infra/build/build.ts';
import { loadEndpoints, root } from '../../infra/build/endpoints.ts';
import { toHttpEvent } from '../../infra/local/http-event.ts';

const folder = `.build/test-${process.pid}`;
const manifest = await build(folder);
const metafile = JSON.parse(readFileSync(join(root, folder, 'metafile.json'), 'utf8')) as Metafile;
afterAll(() => rmSync(join(root, folder), { recursive: true }));

/** Functions that carry the whole API's description in their bundle. */
const tellers = ['service-read-docs', 'service-read-openapi'];

test('there is a bundle for every endpoint, named after its file', async () => {
  const files = (await loadEndpoints()).map(({ name }) => name);
  expect(manifest.endpoints.map(({ name }) => name)).toEqual(files);
});

test('every bundle loads, and offers its handler', async () => {
  for (const { name, folder: bundle } of [...manifest.endpoints, manifest.relay, ...manifest.consumers]) {
    const { handler } = await import(pathToFileURL(join(root, bundle, 'entry.mjs')).href);
    expect(handler, name).toBeTypeOf('function');
  }
});

test('a bundle answers by its schemas, which the build has compiled into it', async () => {
  const call = async (name: string, method: string, path: string, body?: string) => {
    const bundle = manifest.endpoints.find((endpoint) => endpoint.name === name);
    const { handler } = await import(pathToFileURL(join(root, bundle?.folder ?? '', 'entry.mjs')).href);
    const given = { method, target: path, headers: [], body: Buffer.from(body ?? ''), sourceIp: '127.0.0.1' };
    const { statusCode, body: answered } = await handler(
      toHttpEvent(given, { route: { method, path }, params: {} }),
      { awsRequestId: 'a', getRemainingTimeInMillis: () => 10_000 },
    );
    return [statusCode, JSON.parse(answered)];
  };
  expect(await call('service-read-health', 'GET', '/health')).toEqual([200, { status: 'ok' }]);
  expect(
    await call('auth-request-password-reset', 'POST', '/auth/password-reset-request', '{"email":7}'),
  ).toEqual([400, expect.objectContaining({ details: [{ field: 'email', message: expect.any(String) }] })]);
});

test('no bundle carries a schema compiler, the credential chain, event streams or the schemas', () => {
  for (const [output, { inputs }] of Object.entries(metafile.outputs))
    for (const input of Object.keys(inputs))
      expect(input, output).not.toMatch(
        /ajv\/dist\/compile|ajv-formats|node_modules\/.*(credential-provider-node|event-streams|typebox)/,
      );
});

test('no bundle grows past 285 KB', () => {
  const sizes = manifest.endpoints.filter(({ name }) => !tellers.includes(name));
  for (const { name, bytes } of [...sizes, manifest.relay, ...manifest.consumers]) {
    expect(bytes, name).toBeGreaterThan(1000);
    expect(bytes, name).toBeLessThan(285 * 1024);
  }
});
