import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type Destination, destinationOf, faultsOf, isPublicAddress, loopbackOf } from './destination.ts';
import { type Resolve, resolverOf } from './resolve-name.ts';

/** So long an attempt may take from the lookup of its name to the last byte of the response, in milliseconds. */
export const attemptLimit = 15_000;
/** So many bytes of a response are read, and so many kept. */
const [read, kept] = [64 * 1024, 2 * 1024];
/** In milliseconds. What is not used for so long is closed, so that open sockets are those of the last seconds. */
const idle = 10_000;
/** In milliseconds. Node.js gives an address 250 unless told, less than a connection across the world takes. */
const nextAddressAfter = 3_000;

/** Why an attempt brought no whole response. */
export const sendErrors = [
  'url_forbidden',
  'address_forbidden',
  'name_unknown',
  'lookup_failed',
  'timeout',
  'tls_failed',
  'connection_failed',
] as const;
type SendError = (typeof sendErrors)[number];

/** What one attempt brought. */
export interface Sent {
  /** Of the response, also of one that broke off. */
  status?: number;
  error?: SendError;
  /** Where it went. */
  address?: string;
  /** The first 2 KB of the response, as text. */
  response?: string;
  /** The header of that name. */
  retryAfter?: string;
  durationMs: number;
}

interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** The world that an attempt goes out into. */
export interface World {
  resolve?: Resolve;
  /** Who is trusted to sign certificates. Left out: whom Node.js trusts. */
  ca?: string;
  /** Ends it at once. */
  signal?: AbortSignal;
}

/** Ends an attempt before there is a response. */
class Failed extends Error {
  constructor(readonly error: SendError) {
    super(error);
  }
}

/**
 * Posts once. It goes to an address that was judged for this attempt and nowhere else, and where none may be used opens
 * no socket; redirects are not followed. Never throws: what goes wrong is part of what it brought.
 */
export async function send(
  outgoing: OutgoingRequest,
  { resolve = resolverOf(), ca, signal }: World = {},
): Promise<Sent> {
  const began = performance.now();
  const aborter = new AbortController();
  const abort = () => aborter.abort();
  const timer = setTimeout(abort, attemptLimit);
  signal?.addEventListener('abort', abort);
  const sent: Omit<Sent, 'durationMs'> = {};
  try {
    const destination = destinationOf(outgoing.url);
    if (!destination || faultsOf(destination).length > 0) throw new Failed('url_forbidden');
    const addresses = await validatedAddresses(destination, resolve, aborter.signal);
    await post(outgoing, { destination, addresses, ca, signal: aborter.signal }, sent);
  } catch (error) {
    sent.error = aborter.signal.aborted ? 'timeout' : errorOf(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
  return { ...sent, durationMs: Math.round(performance.now() - began) };
}

/** The addresses that a destination has now. All of them must be public: a name that has another too may be a trap. */
async function validatedAddresses(
  destination: Destination,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<string[]> {
  const { host } = destination;
  const here = loopbackOf(destination);
  if (here) return here;
  if (isIP(host)) return [host];
  const addresses = await resolve(host, signal);
  if (addresses.length === 0) throw new Failed('name_unknown');
  if (!addresses.every(isPublicAddress)) throw new Failed('address_forbidden');
  return addresses;
}

interface Way {
  destination: Destination;
  addresses: readonly string[];
  ca?: string;
  signal: AbortSignal;
}

/** Posts to one of the addresses and reads the response; `sent` gets what is known, also of what then breaks off. */
async function post(outgoing: OutgoingRequest, way: Way, sent: Omit<Sent, 'durationMs'>): Promise<void> {
  const { body, headers } = outgoing;
  const { destination, addresses, ca, signal } = way;
  const agent = agentOf(destination, addresses);
  const send = destination.url.protocol === 'https:' ? httpsRequest : httpRequest;
  const connection = {
    agent,
    ca,
    lookup: lookupOf(addresses),
    autoSelectFamilyAttemptTimeout: nextAddressAfter,
  };
  sent.address = addresses[0];
  let reused = false;
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(destination.url, { method: 'POST', headers, ...connection });
      request.once('socket', (socket) => {
        const note = () => {
          sent.address = socket.remoteAddress ?? sent.address;
        };
        if (socket.connecting) socket.once('connect', note);
        else note();
      });
      request.once('response', resolve);
      request.on('error', (error) => {
        reused = request.reusedSocket;
        reject(error);
      });
      // The option `signal` does the same at a higher cost.
      signal.addEventListener('abort', () => request.destroy(new Failed('timeout')), { once: true });
      if (signal.aborted) request.destroy(new Failed('timeout'));
      request.end(body);
    });
    sent.status = response.statusCode;
    sent.retryAfter = response.headers['retry-after'];
    sent.response = await textOf(response);
  } catch (error) {
    // The other side may close a connection just as it is used again. That says nothing of the endpoint.
    if (reused && sent.status === undefined && !signal.aborted) return post(outgoing, way, sent);
    throw error;
  }
}

/** The start of a response as text, once it has ended or is longer than anybody reads. */
const textOf = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    // As a stream, so that a character that is cut in two is left out.
    const text = () => new TextDecoder().decode(Buffer.concat(chunks).subarray(0, kept), { stream: true });
    response.on('data', (chunk: Buffer) => {
      if (length < kept) chunks.push(chunk);
      length += chunk.length;
      if (length <= read) return;
      resolve(text());
      // And its socket: nobody reads what is left of it.
      response.destroy();
    });
    response.on('end', () => resolve(length === 0 ? '' : text()));
    response.on('error', reject);
    // It closes after its end too, and an error that nobody needs costs more than the rest of this.
    response.on('close', () => {
      if (!response.readableEnded) reject(new Failed('connection_failed'));
    });
  });

/** A lookup that knows only the addresses that were judged. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first = { address: '', family: 0 }] = all;
    if (options.all) callback(null, all);
    else callback(null, first.address, first.family);
  };

const agents = new Map<string, HttpAgent>();
/** As many destinations as keep an agent while nothing goes to them. */
const keptAgents = 100;

/**
 * The agent of a destination, whose free sockets lead to one of these addresses: what was judged for an earlier attempt
 * counts for that one only.
 */
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
  // By turns: the agent drops a socket that is destroyed where it stands first, and only there.
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
