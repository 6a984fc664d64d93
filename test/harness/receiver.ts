import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach } from 'vitest';
import { loopbackCertificate, loopbackKey } from './certificate.ts';

/** A request as the receiver got it. */
export interface Received {
  method?: string;
  path?: string;
  headers: IncomingMessage['headers'];
  body: string;
  socket: Socket;
}

export type Behaviour = (response: ServerResponse, request: Received) => void;

/** What a receiver does: each of these is one way in which endpoints behave. */
export const behaviours = {
  responds:
    (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
    (response) =>
      void response.writeHead(status, headers).end(body),
  hangs: (() => {}) as Behaviour,
  resets: ((response) => void response.socket?.resetAndDestroy()) as Behaviour,
  /** Sends the head at once, and then a byte now and then for ever. */
  drips: ((response) => {
    response.writeHead(200).flushHeaders();
    const timer = setInterval(() => response.write('.'), 5);
    response.once('close', () => clearInterval(timer));
  }) as Behaviour,
  breaksOff: ((response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('the start', () => response.socket?.destroy());
  }) as Behaviour,
};

export interface Receiver {
  port: number;
  url: string;
  received: Received[];
  /** How many connections there were. */
  connections: number;
  behave(behaviour: Behaviour): void;
}

const held = new Set<ServerResponse>();

/**
 * The connections, as `client's port > receiver's port`, on which some receiver has got a request and not responded in full.
 */
export const heldConnections = (): ReadonlySet<string> =>
  new Set(
    [...held]
      .filter(({ writableEnded }) => !writableEnded)
      .map(({ req: { socket } }) => `${socket.remotePort} > ${socket.localPort}`),
  );

const open = new Set<Server>();
afterEach(async () => {
  for (const server of open) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    open.delete(server);
  }
});

/** An endpoint on loopback that ends with its test. With `tls` it has the certificate of above, or what `tls` says. */
export async function receiver(behaviour: Behaviour, tls?: ServerOptions): Promise<Receiver> {
  let behave = behaviour;
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers, socket } = request;
      const received = { method, path, headers, body: Buffer.concat(chunks).toString(), socket };
      all.received.push(received);
      held.add(response);
      response.once('close', () => held.delete(response));
      behave(response, received);
    });
  };
  const server: Server = tls
    ? createTlsServer({ key: loopbackKey, cert: loopbackCertificate, ...tls }, onRequest)
    : createServer(onRequest);
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.add(server);
  const { port } = server.address() as AddressInfo;
  const all: Receiver = {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    received: [],
    connections: 0,
    behave: (next) => {
      behave = next;
    },
  };
  server.on('connection', () => {
    all.connections += 1;
  });
  return all;
}
