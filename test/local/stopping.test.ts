import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';
import { startTableDoor } from '../../infra/local/door.ts';
import { startGateway } from '../../infra/local/gateway.ts';
import { startQueues } from '../../infra/local/queues.ts';
import { startS3 } from '../../infra/local/s3.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const key = { accessKeyId: 'local', secretAccessKey: 'local', region: 'us-east-1' };
const hanging = () => {};

/** Starts a server. Its stop must not wait for clients. */
const servers = {
  'the mailbox': () => startLoopbackServer(hanging),
  'the queues': () => startQueues(),
  S3: () => startS3({ folder: join(temporaryFolder(), 'objects'), bucket: 'files', ...key }),
  'the door of the table': async () => {
    const engine = await startLoopbackServer(hanging);
    const door = await startTableDoor(engine.endpoint, async () => undefined);
    return { endpoint: door.endpoint, stop: () => door.stop().then(engine.stop) };
  },
  'the gateway': async () => {
    const { baseUrl, stop } = await startGateway({ port: 0, routes: [] });
    return { endpoint: baseUrl, stop };
  },
};

/** The bytes that a client sends before it waits. The last request has only a part of its body. */
const unfinished = [
  '',
  'GET / HTTP/1.1\r\nhost: x\r\n\r\n',
  'POST / HTTP/1.1\r\n',
  'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: 9\r\n\r\n{',
];

test.each(Object.entries(servers))('stopping %s closes idle and waiting connections', async (name, start) => {
  const { endpoint, stop } = await start();
  const sockets = await Promise.all(
    unfinished.map(async (sent) => {
      const socket = connect(Number(new URL(endpoint).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.on('error', () => {}).write(sent);
      return socket.resume();
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  // A server may also reset a connection, so an error is as good as an end.
  const closed = sockets.map(
    (socket) => socket.closed || new Promise<void>((resolve) => socket.once('close', () => resolve())),
  );
  const began = performance.now();
  await stop();
  // The gateway waits up to five seconds for requests in progress. The other servers wait for no request.
  expect(performance.now() - began).toBeLessThan(name === 'the gateway' ? 9_000 : 4_000);
  await Promise.all(closed);
});
