import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { build } from '../../infra/build/build.ts';
import { loadEndpoints, root } from '../../infra/build/endpoints.ts';
import { unknownRequest } from '../harness/sample-exchanges.ts';

const folder = `.build/test-prewarm-${process.pid}`;
const names = ['leads-read-lead', 'leads-create-lead', 'auth-log-in'];
const endpoints = (await loadEndpoints()).filter(({ name }) => names.includes(name));
await build(folder, { endpoints, schedules: [] });
afterAll(() => rmSync(join(root, folder), { recursive: true }));

/** The requests to DynamoDB: the operation and the body. */
const received: [operation: string, body: string][] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push([
    String(request.headers['x-amz-target']).split('.')[1] ?? '',
    Buffer.concat(chunks).toString(),
  ]);
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const { port } = server.address() as AddressInfo;

const written: string[] = [];
vi.spyOn(process.stdout, 'write').mockImplementation((line) => written.push(String(line)) > 0);
afterAll(() => vi.restoreAllMocks());
afterEach(() => {
  received.splice(0);
  written.splice(0);
});

/** Loads a bundle that sends its requests to this endpoint. */
function load(name: string, endpoint: string) {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  const path = join(root, folder, name, 'index.cjs');
  const require = createRequire(path);
  delete require.cache[path];
  return require(path);
}

test.each(endpoints)(
  'before its first request, $name only reads items that do not exist, and logs nothing',
  async ({ name, endpoint }) => {
    const { prewarm, handler } = load(name, `http://127.0.0.1:${port}`);
    await prewarm();
    const isPublic = endpoint.contract.access === 'public';
    expect(received.map(([operation]) => operation).sort()).toEqual(
      isPublic ? ['Query'] : ['BatchGetItem', 'Query'],
    );
    for (const [, body] of received)
      expect(body.match(/ACCOUNT#[^#"]*/g)?.filter((partition) => partition !== 'ACCOUNT#nobody')).toEqual(
        [],
      );
    expect(written).toEqual([]);
    await handler(unknownRequest(endpoint.contract).event, { getRemainingTimeInMillis: () => 5000 });
    expect(written.map((line) => JSON.parse(line).cold)).toEqual([true]);
  },
);

test('prewarm ends within seconds and without an error if DynamoDB cannot be reached', async () => {
  const { prewarm } = load('leads-read-lead', 'http://127.0.0.1:1');
  await expect(prewarm()).resolves.toBeUndefined();
  expect(written).toEqual([]);
});
