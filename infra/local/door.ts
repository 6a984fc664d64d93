import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { AccessKey } from '../administration/addresses.ts';
import { listenOn } from '../administration/free-port.ts';
import type { LoopbackServer } from '../administration/loopback-server.ts';
import { asS3Error } from './s3-error.ts';
import { type SignedRequest, verifySignature } from './signature.ts';

interface DoorOptions {
  /** The access key of this start of the local service. */
  key: AccessKey;
  region: string;
}

/** The part of a request to an embedded engine that a door checks. */
type Arrival = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'>;

interface Refusal {
  status: number;
  code: string;
  message: string;
}

/** Resolves with the reason to refuse a request, or with undefined. */
export type Door = (request: Arrival) => Promise<Refusal | undefined>;

/**
 * Returns a door that protects an embedded engine against web pages, also after DNS rebinding, and against users of this
 * machine who cannot read the data folder. A request must have the address of the engine as its host, no `Origin`, and a
 * signature of the access key. The signature is verified only in the first request of each connection, because one client
 * sends all requests of a connection, and a verification costs as much CPU time as a small request.
 */
export function engineDoor({ key, region }: DoorOptions): Door {
  const signedIn = new WeakSet<Socket>();
  return async ({ method = '', url = '', headers, socket }) => {
    const reason = foreignReason({ headers, socket });
    if (reason !== undefined) return { status: 403, code: 'AccessDeniedException', message: reason };
    if (signedIn.has(socket)) return undefined;
    try {
      const service = serviceIn(headers);
      await verifySignature({ method, url, headers }, { ...key, region, service, now: new Date() });
      signedIn.add(socket);
      return undefined;
    } catch (error) {
      return asS3Error(error);
    }
  };
}

/**
 * Returns the reason to refuse a request of a web page, or of a client that uses another host name than `127.0.0.1`.
 * Pages of `origins` are allowed.
 */
export function foreignReason(
  { headers: { host, origin }, socket }: Pick<Arrival, 'headers' | 'socket'>,
  origins: readonly string[] = [],
): string | undefined {
  const own = `127.0.0.1:${socket.localPort}`;
  if (host !== own) return `The host must be ${own}.`;
  return origin === undefined || origins.includes(origin) ? undefined : 'Web pages are not allowed.';
}

/** The service in the credential scope of a signature, such as `local/20260301/us-east-1/sqs/aws4_request`. */
const serviceIn = ({ authorization = '' }: IncomingHttpHeaders): string =>
  /Credential=[^,]*\/([a-z0-9]+)\/aws4_request\b/.exec(authorization)?.[1] ?? '';

const bodyOf = ({ code, message }: Refusal): string => JSON.stringify({ __type: code, code, message });

/** Sends the response to a refused request and closes the connection. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  response.writeHead(refusal.status, headers).end(bodyOf(refusal));
}

/** The maximum size of the head of a request, in bytes: the limit of Node's HTTP servers. */
const largestHead = 16 * 1024;
const endOfHead = '\r\n\r\n';

/**
 * Starts a server on 127.0.0.1 that checks the first request of each connection, and then passes all bytes of the
 * connection to the engine. Other programs, such as the operators' commands, use this door. The functions use the engine
 * itself, because they send several requests to the table for each request to the API.
 */
export async function startTableDoor(engine: string, door: Door): Promise<LoopbackServer> {
  const { hostname, port } = new URL(engine);
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, async (client) => {
    open.add(client);
    client.once('close', () => open.delete(client)).on('error', () => client.destroy());
    const head = await firstHead(client);
    if (head === undefined) return;
    const refusal = head === 'malformed' ? malformed : await door({ ...head, socket: client });
    if (refusal) {
      const body = bodyOf(refusal);
      client.end(
        `HTTP/1.1 ${refusal.status} Refused\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      );
      return;
    }
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    // An error or the end of one connection also ends the other.
    pipeline(client, upstream, client, () => {});
  });
  return {
    endpoint: `http://127.0.0.1:${await listenOn(server, 0)}`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const client of open) client.destroy();
      await closed;
    },
  };
}

const malformed: Refusal = {
  status: 400,
  code: 'SerializationException',
  message: 'The request is malformed.',
};

/**
 * Reads the head of the first request of a connection, and puts all bytes back. Resolves with undefined if the client
 * closes the connection first.
 */
function firstHead(client: Socket): Promise<SignedRequest | 'malformed' | undefined> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf(endOfHead);
      if (end < 0 && bytes.length <= largestHead) return;
      client.off('data', onData).pause().unshift(bytes);
      resolve(end < 0 ? 'malformed' : parseHead(bytes.toString('latin1', 0, end)));
    };
    client.on('data', onData).once('close', () => resolve(undefined));
  });
}

/** Parses a head strictly, because the engine parses it again and must not find other headers. */
function parseHead(text: string): SignedRequest | 'malformed' {
  const [start = '', ...lines] = text.split('\r\n');
  const [, method, url] = /^([A-Z]+) (\/\S*) HTTP\/1\.1$/.exec(start) ?? [];
  if (method === undefined || url === undefined) return 'malformed';
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = /^([\w-]+):[ \t]*([\x20-\x7e\x80-\xff\t]*)$/.exec(line) ?? [];
    if (name === undefined || headers.has(name.toLowerCase())) return 'malformed';
    headers.set(name.toLowerCase(), value.trim());
  }
  return { method, url, headers: Object.fromEntries(headers) };
}
