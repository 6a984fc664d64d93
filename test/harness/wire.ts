import { AsyncLocalStorage } from 'node:async_hooks';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll } from 'vitest';
import type { Statement } from '../../infra/rights/statement.ts';

/** One run of one of our functions. Two runs of the same function are two values. */
export interface Invocation {
  /** An endpoint's route, such as `POST /leads`; else the function's own name, such as `events-relay`. */
  functionName: string;
  /** Its policy; left out by a test that looks at something else, and then everything is allowed. */
  statements?: readonly Statement[];
}

/** What an AWS client of this process is about to send. */
export interface WireRequest {
  /** The run that sends it; undefined where the test itself does, or its harness. */
  invocation: Invocation | undefined;
  /** As IAM spells it: `dynamodb`, `sqs`, `secretsmanager`, `kms`, `s3`, `ses`, `sns`. */
  service: string;
  /** Such as `TransactWriteItems`. */
  operation: string;
  /** The body as it is on the wire: DynamoDB's attributes are `{"S": "…"}`. Of S3, which has none, bucket and keys. */
  input: Record<string, unknown>;
}

/** An error response of a service. Default status 400. `reason`: the cancellation reason of a transaction's first operation. */
interface ErrorFault {
  error: string;
  status?: number;
  message?: string;
  reason?: string;
}

/**
 * What becomes of a request. An error code: the service responds with it, and there was no effect. `reset`: the connection
 * is lost before there is an effect. `lost`: there is, and its response is lost. `hangs`: nothing ever comes, until whoever
 * sends gives up. `unprocessed`: DynamoDB processes nothing of a batch.
 */
export type WireFault = ErrorFault | 'reset' | 'lost' | 'hangs' | 'unprocessed';

/** A request and what came of it. */
export interface WireExchange extends WireRequest {
  /** 0 where no response came. */
  status: number;
  output: Record<string, unknown>;
  /** Milliseconds by `performance.now()`, for telling what ran side by side from what waited. */
  startedAt: number;
  endedAt: number;
}

/** What comes back over the wire, in one of AWS's JSON protocols. */
export interface WireResponse {
  status: number;
  output: Record<string, unknown>;
}

/** Somebody who watches the wire. */
export interface WireWatcher {
  /** Sees a run of a function begin. What it returns is called as the run ends. */
  began?: (invocation: Invocation) => () => void;
  /** Sees a request before it is sent. A sentence returned here is its response: an AccessDeniedException. */
  refuse?: (request: WireRequest) => string | undefined;
  /** Stands in for the service where it returns a response, which is then the only one: the request is not sent. */
  respond?: (request: WireRequest) => WireResponse | undefined;
  /** Says what goes wrong with a request; undefined: nothing. */
  fault?: (request: WireRequest) => WireFault | undefined;
  /** Sees a request that is about to be sent; a promise holds it back. */
  before?: (request: WireRequest) => unknown;
  /** Sees a request once its response has begun, whoever gave it. */
  answered?: (request: WireRequest) => unknown;
  /**
   * Sees each request once its response is whole, refused ones too, and every attempt of a repeated one. A promise
   * holds the response back. The request is the one that `before` saw.
   */
  done?: (exchange: WireExchange, request: WireRequest) => unknown;
}

interface HttpOptions {
  abortSignal?: AbortSignal;
}

interface HttpRequest {
  method?: string;
  path?: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

interface HttpResponse {
  response: { statusCode: number; headers: Record<string, string>; body?: NodeJS.ReadableStream };
}

interface Handler {
  handle(this: unknown, request: HttpRequest, options?: HttpOptions): Promise<HttpResponse>;
}

const running = new AsyncLocalStorage<Invocation>();
const watchers = new Set<WireWatcher>();

/** Runs a function of ours under its name and rights: everything it sends, now or later, is marked as sent by it. */
export function runAs<T>({ functionName, statements }: Invocation, run: () => T): T {
  const invocation = { functionName, statements };
  const ends = [...watchers].flatMap(({ began }) => began?.(invocation) ?? []);
  const result = running.run(invocation, run);
  if (ends.length > 0) {
    const end = () => {
      for (const ended of ends) ended();
    };
    void Promise.resolve(result).then(end, end);
  }
  return result;
}

/** Does something for the test itself, in the middle of what a function does. */
export const asTest = <T>(run: () => T): T => running.exit(run);

/** Watches every request that AWS clients of this process send, until the function it returns is called. */
export function watchWire(watcher: WireWatcher): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

// All clients share this one class, so that its prototype is the wire. What test/harness/faults.ts sends back in
// DynamoDB's place does not get here.
const wire: Handler = NodeHttpHandler.prototype;
const send = wire.handle;

wire.handle = async function handle(request, options) {
  const sent = requestOf(request);
  await Promise.all([...watchers].map(({ before }) => before?.(sent)));
  const startedAt = performance.now();
  const sentence = [...watchers]
    .map(({ refuse }) => refuse?.(sent))
    .find((apiError) => apiError !== undefined);
  try {
    const responseOfTest = sentence === undefined ? respondTo(sent) : accessDenied(sentence);
    const given =
      responseOfTest ??
      (await withFault(sent, () => send.call(this, request, options), options?.abortSignal));
    for (const { answered } of watchers) answered?.(sent);
    return [...watchers].some(({ done }) => done) ? await tell(sent, startedAt, given) : given;
  } catch (error) {
    const exchange = { ...sent, status: 0, output: {}, startedAt, endedAt: performance.now() };
    await Promise.all([...watchers].map(({ done }) => done?.(exchange, sent)));
    throw error;
  }
};
// The class is the process's, and the next file watches it too.
afterAll(() => {
  wire.handle = send;
  SignatureV4.prototype.presign = presign;
  // A storage in use is handed on with every promise of the process, those of the files to come too.
  running.disable();
});

/** Reads the response to its end for those who watch, and hands it on as it was. */
async function tell(sent: WireRequest, startedAt: number, { response }: HttpResponse): Promise<HttpResponse> {
  const bytes = response.body ? await buffer(response.body) : Buffer.alloc(0);
  const output = parse(bytes);
  const endedAt = performance.now();
  const exchange = { ...sent, status: response.statusCode, output, startedAt, endedAt };
  await Promise.all([...watchers].map(({ done }) => done?.(exchange, sent)));
  return { response: Object.assign(response, { body: streamOf(bytes) }) };
}

/**
 * AWS's JSON protocols name the operation in a header: `DynamoDB_20120810.Query`, `AmazonSQS.SendMessage`. To IAM a
 * table's stream is DynamoDB too. KMS calls itself TrentService.
 */
function requestOf({ method = '', path = '', headers, body = '' }: HttpRequest): WireRequest {
  const signedFor = /Credential=[^,]*\/([a-z0-9-]+)\/aws4_request/.exec(headers.authorization ?? '')?.[1];
  if (headers['x-amz-target'] === undefined && (signedFor === 'ses' || signedFor === 'sns'))
    return { invocation: running.getStore(), service: signedFor, ...messagingRequest(path, body) };
  if (headers['x-amz-target'] === undefined && headers['x-amz-content-sha256'] !== undefined)
    return { invocation: running.getStore(), service: 's3', ...objectRequest(method, path, headers) };
  const [target = '', operation = ''] = (headers['x-amz-target'] ?? '').split('.');
  const name = target.replace(/^Amazon|(Streams)?_\d+$/g, '').toLowerCase();
  const service = name === 'trentservice' ? 'kms' : name;
  return { invocation: running.getStore(), service, operation, input: parse(body) };
}

/** SES has paths for operations, of which one sends; SNS says in a form which it is. */
function messagingRequest(path: string, body: string | Uint8Array) {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  if (path.endsWith('/outbound-emails')) return { operation: 'SendEmail', input: parse(text) };
  const { Action = '', ...input } = Object.fromEntries(new URLSearchParams(text));
  return { operation: Action, input };
}

/** S3 has methods and paths for operations: here in the way of a bucket that is part of the path. */
function objectRequest(method: string, path: string, headers: Record<string, string>) {
  const [, Bucket = '', Key = ''] = /^\/([^/]+)\/(.*)$/s.exec(decodeURIComponent(path)) ?? [];
  const source = headers['x-amz-copy-source'];
  const CopySource = source && decodeURIComponent(source).replace(/^\/[^/]+\//, '');
  const verb = `${method.charAt(0)}${method.slice(1).toLowerCase()}`;
  return { operation: source ? 'CopyObject' : `${verb}Object`, input: { Bucket, Key, CopySource } };
}

/**
 * What a function signs for somebody else to send does not go over this wire; it is what the signer's rights allow all
 * the same. So those who judge requests see it as one.
 */
const presign = SignatureV4.prototype.presign;
SignatureV4.prototype.presign = async function presignAsSent(request, options) {
  const { method, path, headers } = request;
  const sent = { invocation: running.getStore(), service: 's3', ...objectRequest(method, path, headers) };
  for (const { refuse } of watchers) refuse?.(sent);
  return presign.call(this, request, options);
};

async function withFault(
  sent: WireRequest,
  sendIt: () => Promise<HttpResponse>,
  signal: AbortSignal | undefined,
): Promise<HttpResponse> {
  const [fault] = [...watchers].flatMap((watcher) => watcher.fault?.(sent) ?? []);
  if (fault === undefined) return sendIt();
  if (typeof fault === 'object') return errorOf(sent, fault);
  if (fault === 'hangs') return hanging(signal);
  if (fault === 'unprocessed') return unprocessed(sent);
  // A body that nobody reads keeps its socket, and there are only fifty.
  if (fault === 'lost') (await sendIt()).response.body?.resume();
  throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
}

/** Never settles, but for whoever gives up. */
const hanging = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    const abort = () => reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
  });

/** Returns all of a batch as unprocessed. */
function unprocessed({ operation, input: { RequestItems } }: WireRequest): HttpResponse {
  const left = operation === 'BatchGetItem' ? 'UnprocessedKeys' : 'UnprocessedItems';
  return jsonResponse({ status: 200, output: { Responses: {}, [left]: RequestItems } });
}

/** An error response in the protocol of the service. S3 sends no body with the response to a HEAD request. */
function errorOf(
  { service, operation, input }: WireRequest,
  { error, status = 400, message = error, reason }: ErrorFault,
): HttpResponse {
  const headers = { 'content-type': 'text/xml' };
  const xml = `<Error><Type>Sender</Type><Code>${error}</Code><Message>${message}</Message></Error>`;
  if (service === 's3') {
    const body = streamOf(operation === 'HeadObject' ? '' : xml);
    return { response: { statusCode: status, headers, body } };
  }
  if (service === 'sns') {
    const body = streamOf(`<ErrorResponse>${xml}</ErrorResponse>`);
    return { response: { statusCode: status, headers, body } };
  }
  const operations = (input.TransactItems as unknown[] | undefined) ?? [];
  const CancellationReasons = operations.map((_, at) => ({ Code: at === 0 ? reason : 'None' }));
  const given = jsonResponse({
    status,
    output: { __type: error, message, ...(reason && { CancellationReasons }) },
  });
  given.response.headers['x-amzn-errortype'] = error;
  return given;
}

function respondTo(sent: WireRequest): HttpResponse | undefined {
  const [given] = [...watchers].flatMap(({ respond }) => respond?.(sent) ?? []);
  return given && jsonResponse(given);
}

const accessDenied = (message: string): HttpResponse =>
  jsonResponse({
    status: 400,
    output: { __type: 'com.amazon.coral.service#AccessDeniedException', message },
  });

const jsonResponse = ({ status, output }: WireResponse): HttpResponse => ({
  response: {
    statusCode: status,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: streamOf(JSON.stringify(output)),
  },
});

function streamOf(bytes: string | Uint8Array): PassThrough {
  const stream = new PassThrough();
  stream.end(bytes);
  return stream;
}

/** The object in a body; none where it holds no JSON. */
function parse(body: string | Uint8Array): Record<string, unknown> {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    return {};
  }
}
