import { createSocket } from 'node:dgram';
import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Destination } from '../../shared/messaging/webhooks/destination.ts';
import { resolverOf } from '../../shared/messaging/webhooks/resolve-name.ts';
import { send } from '../../shared/messaging/webhooks/send.ts';
import { loopbackCertificate } from '../harness/certificate.ts';
import { behaviours, type Receiver, receiver } from '../harness/receiver.ts';

beforeEach(() => void vi.stubEnv('STAGE', 'local'));
afterEach(() => {
  approved.addresses = undefined;
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/**
 * If defined, these addresses replace the loopback addresses of a destination, so that a test can use an
 * address without a listener.
 */
const approved = vi.hoisted(() => ({ addresses: undefined as string[] | undefined }));
vi.mock('../../shared/messaging/webhooks/destination.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../shared/messaging/webhooks/destination.ts')>();
  const { loopbackOf } = original;
  return { ...original, loopbackOf: (to: Destination) => approved.addresses ?? loopbackOf(to) };
});

const body = Buffer.from('{"type":"lead_created"}');
const headers = { 'content-type': 'application/json', 'webhook-id': 'evt_acme_1' };
const post = (url: string, ca?: string) => send({ url, headers, body }, { ca });

describe('an attempt', () => {
  test('posts the given bytes and headers, and returns status, address and the start of the response', async () => {
    const { url, received, port } = await receiver(behaviours.responds(202, {}, 'thank you'));
    expect(await post(url)).toEqual({
      status: 202,
      address: '127.0.0.1',
      response: 'thank you',
      durationMs: expect.any(Number),
    });
    expect(received).toMatchObject([
      {
        method: 'POST',
        path: '/hook',
        body: body.toString(),
        headers: { ...headers, host: `127.0.0.1:${port}` },
      },
    ]);
    expect(received[0]?.headers['content-length']).toBe(String(body.length));
  });

  test('returns at most the first 2 KB of a response, without a partial character at the end', async () => {
    const { url } = await receiver(behaviours.responds(200, {}, `a${'é'.repeat(2000)}`));
    const { response = '' } = await post(url);
    expect(response).toBe(`a${'é'.repeat(1023)}`);
  });

  test('reads no more than 64 KB of a response', async () => {
    const endless = await receiver((response) => {
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16 * 1024, '.')));
      };
      response.on('drain', pour);
      pour();
    });
    const sent = await post(endless.url);
    expect(sent).toMatchObject({ status: 200, response: '.'.repeat(2048) });
    expect(sent.error).toBeUndefined();
    await vi.waitFor(() => expect(endless.received[0]?.socket.destroyed).toBe(true));
  });

  test('does not follow a redirect', async () => {
    const inside = await receiver(behaviours.responds(200));
    const { url } = await receiver(behaviours.responds(302, { location: inside.url }));
    expect(await post(url)).toMatchObject({ status: 302 });
    expect(inside.connections).toBe(0);
  });

  test('returns the Retry-After header', async () => {
    const { url } = await receiver(behaviours.responds(503, { 'retry-after': '120' }));
    expect(await post(url)).toMatchObject({ status: 503, retryAfter: '120' });
  });

  /** Starts an attempt and moves the fake timers to its limit of 15 s. */
  async function endsAtTheLimit({ url, received }: Receiver) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const over = vi.fn();
    const sending = post(url).finally(over);
    // Does not use `vi.waitFor`, because it would advance the fake clock.
    while (received.length === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(14_999);
    for (let n = 0; n < 50; n += 1) await new Promise(setImmediate);
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    const sent = await sending;
    vi.useRealTimers();
    await vi.waitFor(() => expect(received[0]?.socket.destroyed).toBe(true));
    return sent;
  }

  test.each([
    ['sends nothing', behaviours.hangs],
    ['sends part of the headers', behaviours.sends('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n')],
    [
      'sends only 1xx responses',
      behaviours.sends('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'),
    ],
  ])(
    'on an endpoint that %s fails with timeout after 15 s, and closes the connection',
    async (_, behaviour) => {
      const sent = await endsAtTheLimit(await receiver(behaviour));
      expect(sent).toEqual({ error: 'timeout', address: '127.0.0.1', durationMs: expect.any(Number) });
    },
  );

  test.each([200, 202, 302, 410, 500])(
    'on an endpoint that sends %d and a body without end returns the status after 15 s, and closes the connection',
    async (status) => {
      const sent = await endsAtTheLimit(await receiver(behaviours.drips(status)));
      expect(sent).toMatchObject({ status, response: expect.stringMatching(/^\.+$/) });
      expect(sent.error).toBeUndefined();
    },
  );

  test.each([
    ['shorter than its content-length', 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nthe start'],
    ['without its last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nthe start\r\n'],
    [
      'with an invalid chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nthe start\r\nno length\r\n',
    ],
    [
      'after a 1xx response',
      'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nthe start',
    ],
  ])('on an endpoint that closes the connection after a 200 with a body %s returns 200', async (_, bytes) => {
    const { url, received } = await receiver(({ socket }) => void socket?.end(bytes));
    const sent = await post(url);
    expect(sent).toMatchObject({ status: 200, response: 'the start' });
    expect(sent.error).toBeUndefined();
    await vi.waitFor(() => expect(received[0]?.socket.destroyed).toBe(true));
  });

  test.each([
    ['resets', behaviours.resets],
    [
      'responds with 101',
      behaviours.sends('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
  ])('on an endpoint that %s fails with connection_failed', async (_, behaviour) => {
    const { url, received } = await receiver(behaviour);
    const sent = await post(url);
    expect(sent).toMatchObject({ error: 'connection_failed', address: '127.0.0.1' });
    expect(sent.status).toBeUndefined();
    await vi.waitFor(() => expect(received[0]?.socket.destroyed).toBe(true));
  });

  test('on a closed port fails with connection_failed', async () => {
    const { url } = await receiver(behaviours.hangs);
    const free = new URL(url);
    free.port = '1';
    expect(await post(free.href)).toMatchObject({ error: 'connection_failed', address: '127.0.0.1' });
  });
});

describe('TLS', () => {
  test('connects to the validated address, with the name in SNI and Host', async () => {
    const names: unknown[] = [];
    const { port, received } = await receiver(behaviours.responds(200), {
      SNICallback: (name, callback) => {
        names.push(name);
        callback(null);
      },
    });
    const sent = await post(`https://app.localhost:${port}/hook`, loopbackCertificate);
    expect(sent).toMatchObject({ status: 200, address: '127.0.0.1' });
    expect(names).toEqual(['app.localhost']);
    expect(received[0]?.headers.host).toBe(`app.localhost:${port}`);
  });

  test('fails with an untrusted certificate', async () => {
    const { url, received } = await receiver(behaviours.responds(200), {});
    expect(await post(url)).toMatchObject({ error: 'tls_failed' });
    expect(received).toEqual([]);
  });

  test('fails with a certificate for another name', async () => {
    const { port, received } = await receiver(behaviours.responds(200), {});
    const sent = await post(`https://other.localhost:${port}/`, loopbackCertificate);
    expect(sent).toMatchObject({ error: 'tls_failed' });
    expect(received).toEqual([]);
  });

  test('fails below version 1.2', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const { url, received } = await receiver(behaviours.responds(200), old);
    expect(await post(url, loopbackCertificate)).toMatchObject({ error: 'tls_failed' });
    expect(received).toEqual([]);
  });

  test('fails on an endpoint without TLS', async () => {
    const { port } = await receiver(behaviours.responds(200));
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ error: 'tls_failed' });
  });
});

describe('connections', () => {
  test('are reused for the next attempt to the same destination', async () => {
    const one = await receiver(behaviours.responds(200));
    for (let n = 0; n < 5; n += 1) expect(await post(one.url)).toMatchObject({ status: 200 });
    expect(one.connections).toBe(1);
  });

  test('are not reused if their address is no longer among the validated addresses', async () => {
    const one = await receiver(behaviours.responds(200));
    const url = `http://app.localhost:${one.port}/hook`;
    approved.addresses = ['127.0.0.1'];
    expect(await post(url)).toMatchObject({ status: 200, address: '127.0.0.1' });
    approved.addresses = ['127.0.0.2'];
    expect(await post(url)).toMatchObject({ error: 'connection_failed' });
    approved.addresses = ['127.0.0.2', '127.0.0.1'];
    expect(await post(url)).toMatchObject({ status: 200, address: '127.0.0.1' });
    expect(one.received).toHaveLength(2);
  });

  test('that the server closed in the meantime do not fail an attempt', async () => {
    const one = await receiver(behaviours.responds(200));
    await post(one.url);
    // Closes the connection at the next request, as if the server had just closed the idle connection.
    one.behave((response, { socket }) => {
      one.behave(behaviours.responds(200));
      socket.destroy();
      response.destroy();
    });
    expect(await post(one.url)).toMatchObject({ status: 200 });
    expect(one.connections).toBe(2);
  });
});

/** A name server on loopback. It answers only queries for names that start with `fast`. */
async function nameServer() {
  const socket = createSocket('udp4');
  let questions = 0;
  socket.on('message', (query, { port, address }) => {
    questions += 1;
    if (query.toString('latin1', 13, 17) !== 'fast') return;
    const end = query.indexOf(0, 12) + 5;
    const isIPv4 = query.readUInt16BE(end - 4) === 1;
    const head = Buffer.from(query.subarray(0, end));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(isIPv4 ? 1 : 0, 6);
    head.writeUInt16BE(0, 8);
    head.writeUInt16BE(0, 10);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 8, 8, 8, 8]);
    socket.send(isIPv4 ? Buffer.concat([head, answer]) : head, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolve = resolverOf([`127.0.0.1:${socket.address().port}`]);
  return { resolve, asked: () => questions, close: () => socket.close() };
}

describe('name lookups', () => {
  test('are not delayed by slow lookups', async () => {
    const server = await nameServer();
    const ends = new AbortController();
    setMaxListeners(0, ends.signal);
    const slow = Array.from({ length: 20 }, (_, n) => server.resolve(`slow${n}.example.com`, ends.signal));
    const over = vi.fn();
    for (const one of slow) one.catch(over);
    await vi.waitFor(() => expect(server.asked()).toBeGreaterThanOrEqual(20), { timeout: 30_000 });
    expect(await server.resolve('fast.example.com', ends.signal)).toEqual(['8.8.8.8']);
    ends.abort();
    const rejected = await Promise.allSettled(slow);
    expect(rejected.every(({ status }) => status === 'rejected')).toBe(true);
    server.close();
  });

  test('end after three seconds without an answer, and do not cancel other lookups', async () => {
    const server = await nameServer();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const never = new AbortController().signal;
    const first = server
      .resolve('slow.example.com', never)
      .catch((error: NodeJS.ErrnoException) => error.code);
    vi.advanceTimersByTime(2_000);
    const other = vi.fn();
    const later = server.resolve('slower.example.com', never).catch(other);
    vi.advanceTimersByTime(1_000);
    expect(await first).toBe('ECANCELLED');
    expect(other).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2_000);
    await later;
    expect(other).toHaveBeenCalledTimes(1);
    server.close();
  });

  test('have different errors for an unknown name and a failed lookup', async () => {
    const failing = (code: string) => ({
      resolve: () => Promise.reject(Object.assign(new Error(code), { code, syscall: 'queryA' })),
    });
    const outgoing = { url: 'https://hooks.example.com/', headers, body };
    expect(await send(outgoing, failing('ENOTFOUND'))).toMatchObject({ error: 'name_unknown' });
    expect(await send(outgoing, failing('ECANCELLED'))).toMatchObject({ error: 'lookup_failed' });
  });
});
