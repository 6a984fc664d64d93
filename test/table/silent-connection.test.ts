import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';

const { hostname, port } = new URL(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
let connections = 0;

/** Passes requests to the engine. The responses on the first connection never arrive. */
const network = createServer((client) => {
  const isSilent = connections === 0;
  connections += 1;
  const engine = connect({ host: hostname, port: Number(port) });
  for (const socket of [client, engine]) socket.on('error', () => socket.destroy());
  client.pipe(engine);
  if (isSilent) engine.resume();
  else engine.pipe(client);
});
await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve));
afterAll(() => network.close());

test('a transaction whose connection falls silent is sent again, and committed once', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', `http://127.0.0.1:${(network.address() as AddressInfo).port}`);
  const { table } = await import('../../shared/table/client.ts');
  const { putIfAbsent } = await import('../../shared/table/operations.ts');
  const { getItem } = await import('../../shared/table/read.ts');
  const { transact } = await import('../../shared/table/transact.ts');
  const key = { pk: 'TEST#silent', sk: 'TEST' };
  await transact([putIfAbsent({ ...key, type: 'test' })], Date.now());
  expect(await getItem(key)).toMatchObject({ type: 'test' });
  expect(connections).toBe(2);
  table.destroy();
});
