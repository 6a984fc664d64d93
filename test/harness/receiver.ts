import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach } from 'vitest';
import { loopbackCertificate, loopbackKey } from './certificate.ts';

/** A received request. */
export interface Received {
  method?: string;
  path?: string;
  headers: IncomingMessage['headers'];
  body: string;
  socket: Socket;
}

export type Behaviour = (response: ServerResponse, request: Received) => void;

/** The behaviours from which a test selects. */
export const behaviours = {
  responds:
    (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
    (response) =>
      void response.writeHead(status, headers).end(body),
  hangs: (() => {}) as Behaviour,
  resets: ((response) => void response.socket?.resetAndDestroy()) as Behaviour,
  /** Sends the headers and a byte immediately, and then single bytes until the connection is closed. */
  drips:
    (status: number): Behaviour =>
    (response) => {
      response.writeHead(status).write('.');
      const timer = setInterval(() => response.write('.'), 5);
      response.once('close', () => clearInterval(timer));
    },
  /** Sends these bytes instead of an HTTP response, and leaves the connection open. */
  sends:
    (bytes: string): Behaviour =>
    ({ socket }) =>
      void socket?.write(bytes),
};

export interface Receiver {
  port: number;
  url: string;
  received: Received[];
  /** The number of connections. */
  connections: number;
  behave(behaviour: Behaviour): void;
}

const held = new Set<ServerResponse>();

/** The connections with an incomplete response, each as `client's port > receiver's port`. */
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

/**
 * Starts an HTTP endpoint on loopback, which stops after the test. If `tls` is given, the endpoint uses HTTPS, by
 * default with the loopback certificate.
 */
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
