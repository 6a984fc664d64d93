import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import {
  type Destination,
  destinationFaults,
  destinationOf,
  isPublicAddress,
  loopbackOf,
} from './destination.ts';
import { type Resolve, resolverOf } from './resolve-name.ts';

/**
 * The timeout of an attempt in milliseconds, from name lookup to the end of the response headers. The body is read until
 * the same time. It is not read for a shorter time, because some servers stop a request when its connection is closed.
 */
export const attemptLimit = 15_000;
/** The maximum numbers of response bytes to read and to store. */
const [read, kept] = [64 * 1024, 2 * 1024];
/** Unused sockets are closed after this time, in milliseconds. */
const idle = 10_000;
/** The time to connect to an address, in milliseconds. The default of Node.js, 250, is too short for distant hosts. */
const connectTimeout = 3_000;

/** The reasons why no status was received. */
const deliveryErrors = [
  'url_forbidden',
  'address_forbidden',
  'name_unknown',
  'lookup_failed',
  'timeout',
  'tls_failed',
  'connection_failed',
] as const;
type SendError = (typeof deliveryErrors)[number];

export interface Sent {
  /** The status of the response. It decides the outcome, even if the body is slow, too long or incomplete. */
  status?: number;
  /** Set if no status was received. */
  error?: SendError;
  address?: string;
  /** The start of the response, as text. */
  response?: string;
  retryAfter?: string;
  contentType?: string;
  durationMs: number;
}

interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  /** Default POST. */
  method?: 'GET';
  body?: Uint8Array;
  /** How many bytes of the response are returned. Default 2 KB. */
  keep?: number;
}

/** Dependencies that tests replace, and the signal that aborts the attempt. */
interface World {
  resolve?: Resolve;
  /** The trusted certificate authorities. Default: the certificate authorities of Node.js. */
  ca?: string;
  signal?: AbortSignal;
  /** Allows loopback addresses of a name, and connects to this port. For tests of the checks of domains. */
  loopbackPort?: number;
}

class Failed extends Error {
  constructor(readonly error: SendError) {
    super(error);
  }
}

/**
 * Sends one request. Connects only to addresses that were validated for this attempt, to prevent server-side
 * request forgery. Does not follow redirects. Never throws: errors are part of the result.
 */
export async function send(
  outgoing: OutgoingRequest,
  { resolve = resolverOf(), ca, signal, loopbackPort }: World = {},
): Promise<Sent> {
  const startedAt = performance.now();
  const aborter = new AbortController();
  const abort = () => aborter.abort();
  const timer = setTimeout(abort, attemptLimit);
  signal?.addEventListener('abort', abort);
  const sent: Omit<Sent, 'durationMs'> = {};
  try {
    const destination = destinationOf(outgoing.url);
    if (!destination || destinationFaults(destination).length > 0) throw new Failed('url_forbidden');
    const addresses = await validatedAddresses(
      destination,
      resolve,
      loopbackPort === undefined ? isPublicAddress : isLoopback,
      aborter.signal,
    );
    await post(outgoing, { destination, addresses, ca, port: loopbackPort, signal: aborter.signal }, sent);
  } catch (error) {
    sent.error = aborter.signal.aborted ? 'timeout' : errorOf(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
  return { ...sent, durationMs: Math.round(performance.now() - startedAt) };
}

const isLoopback = (address: string): boolean => address.startsWith('127.');

/** Resolves a destination. All addresses must be public, because a name with any private address may be an attack. */
async function validatedAddresses(
  destination: Destination,
  resolve: Resolve,
  isAllowed: (address: string) => boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const { host } = destination;
  const here = loopbackOf(destination);
  if (here) return here;
  if (isIP(host)) return [host];
  const addresses = await resolve(host, signal);
  if (addresses.length === 0) throw new Failed('name_unknown');
  if (!addresses.every(isAllowed)) throw new Failed('address_forbidden');
  return addresses;
}

interface Route {
  destination: Destination;
  addresses: readonly string[];
  ca?: string;
  /** Default: the port of the URL. */
  port?: number;
  signal: AbortSignal;
}

/** Posts to one of the addresses and reads the response. Sets each field of `sent` when its value is known. */
async function post(outgoing: OutgoingRequest, route: Route, sent: Omit<Sent, 'durationMs'>): Promise<void> {
  const { body, headers, method = 'POST', keep } = outgoing;
  const { destination, addresses, ca, port, signal } = route;
  const agent = agentOf(destination, addresses);
  const send = destination.url.protocol === 'https:' ? httpsRequest : httpRequest;
  const connection = {
    agent,
    ca,
    ...(port !== undefined && { port }),
    lookup: lookupOf(addresses),
    autoSelectFamilyAttemptTimeout: connectTimeout,
  };
  sent.address = addresses[0];
  let reused = false;
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(destination.url, { method, headers, ...connection });
      request.once('socket', (socket) => {
        const note = () => {
          sent.address = socket.remoteAddress ?? sent.address;
        };
        if (socket.connecting) socket.once('connect', note);
        else note();
      });
      request.once('response', resolve);
      // Without this listener, a response with the status 101 would cause neither a response nor an error.
      request.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(new Failed('connection_failed'));
      });
      request.on('error', (error) => {
        reused = request.reusedSocket;
        reject(error);
      });
      // This listener takes less CPU time than the option `signal` and has the same effect.
      signal.addEventListener('abort', () => request.destroy(new Failed('timeout')), { once: true });
      if (signal.aborted) request.destroy(new Failed('timeout'));
      request.end(body);
    });
    sent.status = response.statusCode;
    sent.retryAfter = response.headers['retry-after'];
    sent.contentType = response.headers['content-type'];
    sent.response = await textOf(response, keep);
  } catch (error) {
    // The server may close a reused connection at the moment when the request starts. In this case, sends the
    // request again.
    if (reused && sent.status === undefined && !signal.aborted) return post(outgoing, route, sent);
    throw error;
  }
}

/** Reads the start of a response as text, for the log. Returns the received part if the body does not end. */
const textOf = (response: IncomingMessage, keep = kept): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      if (length < keep) chunks.push(chunk);
      length += chunk.length;
      // Closes the socket, because the rest of the response is not read.
      if (length > read) response.destroy();
    });
    // The status decides the outcome, so an error of the body is ignored. `close` follows.
    response.on('error', () => {});
    response.on('close', () => {
      // With `stream`, the decoder omits an incomplete character at the end.
      resolve(new TextDecoder().decode(Buffer.concat(chunks).subarray(0, keep), { stream: true }));
    });
  });

/** A lookup that returns only the validated addresses. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first = { address: '', family: 0 }] = all;
    if (options.all) callback(null, all);
    else callback(null, first.address, first.family);
  };

const agents = new Map<string, HttpAgent>();
/** If this many agents exist, agents without sockets are removed before a new agent is added. */
const keptAgents = 100;

/** Returns the agent of a destination. Destroys its free sockets to addresses that this attempt did not validate. */
function agentOf({ url }: Destination, addresses: readonly string[]): HttpAgent {
  const known = agents.get(url.origin);
  if (known) {
    for (const free of Object.values(known.freeSockets))
      for (const socket of free ?? []) if (!addresses.includes(socket.remoteAddress ?? '')) socket.destroy();
    return known;
  }
  if (agents.size >= keptAgents)
    for (const [origin, { sockets, freeSockets }] of agents)
      if (Object.keys(sockets).length + Object.keys(freeSockets).length === 0) agents.delete(origin);
  // Uses `fifo`, because with `lifo` the agent may reuse a destroyed socket.
  const options = { keepAlive: true, scheduling: 'fifo', timeout: idle, maxFreeSockets: 5 } as const;
  const agent =
    url.protocol === 'https:'
      ? new HttpsAgent({ ...options, minVersion: 'TLSv1.2' })
      : new HttpAgent(options);
  agents.set(url.origin, agent);
  return agent;
}

function errorOf(error: unknown): SendError {
  if (error instanceof Failed) return error.error;
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  if (syscall.startsWith('query')) return /ENOTFOUND|ENODATA/.test(code) ? 'name_unknown' : 'lookup_failed';
  return /TLS|SSL|CERT|SIGNATURE|CRL|^EPROTO$|SELF_SIGNED|ISSUER|HOSTNAME/.test(code)
    ? 'tls_failed'
    : 'connection_failed';
}
