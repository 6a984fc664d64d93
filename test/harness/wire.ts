import { AsyncLocalStorage } from 'node:async_hooks';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll } from 'vitest';
import type { Statement } from '../../infra/rights/statement.ts';

/** A run of a function of this project. Each run has its own object. */
export interface Invocation {
  /**
   * The route of an endpoint, for example `POST /leads`, or the name of another function, for example `events-relay`.
   */
  functionName: string;
  /** The policy of the function. If omitted, everything is allowed. */
  statements?: readonly Statement[];
}

/** A request that an AWS client of this process is about to send. */
export interface WireRequest {
  /** The run that sends the request; undefined for requests of the test and its harness. */
  invocation: Invocation | undefined;
  /** The service prefix of IAM actions: `dynamodb`, `sqs`, `secretsmanager`, `kms`, `s3`, `ses`, `sns`. */
  service: string;
  /** For example `TransactWriteItems`. */
  operation: string;
  /** The body as sent, with DynamoDB attributes as `{"S": "…"}`. For S3, the bucket and the keys. */
  input: Record<string, unknown>;
}

/** An error response. Default status 400. `reason`: the cancellation reason of a transaction's first operation. */
interface ErrorFault {
  error: string;
  status?: number;
  message?: string;
  reason?: string;
}

/**
 * An injected fault. `ErrorFault`: the service returns this error and changes nothing. `reset`: the connection is lost
 * before the request takes effect. `lost`: the request takes effect, but its response is lost. `hangs`: no response
 * arrives until the sender aborts. `unprocessed`: DynamoDB returns the whole batch as unprocessed.
 */
export type WireFault = ErrorFault | 'reset' | 'lost' | 'hangs' | 'unprocessed';

/** A request and its response. */
export interface WireExchange extends WireRequest {
  /** 0 if there was no response. */
  status: number;
  output: Record<string, unknown>;
  /** In milliseconds of `performance.now()`, to distinguish parallel requests from sequential ones. */
  startedAt: number;
  endedAt: number;
}

/** A response in one of AWS's JSON protocols. */
interface WireResponse {
  status: number;
  output: Record<string, unknown>;
}

/** Observes or changes the requests of this process. */
interface WireWatcher {
  /** Called before a request is sent. If it returns a message, the request fails with AccessDeniedException. */
  refuse?: (request: WireRequest) => string | undefined;
  /** Called before a request is sent. If it returns a response, the sender gets this response, and nothing is sent. */
  respond?: (request: WireRequest) => WireResponse | undefined;
  /** Returns the fault to inject into a request, if any. */
  fault?: (request: WireRequest) => WireFault | undefined;
  /** Called before a request is sent. If it returns a promise, the request waits for the promise. */
  before?: (request: WireRequest) => unknown;
  /** Called when a response begins to arrive, including responses that watchers create. */
  answered?: (request: WireRequest) => unknown;
  /**
   * Called when a request is complete, including refused requests and every retry. If it returns a promise, the
   * response waits for the promise. `request` is the object that `before` received.
   */
  done?: (exchange: WireExchange, request: WireRequest) => unknown;
}

interface HttpOptions {
  abortSignal?: AbortSignal;
}

interface HttpRequest {
  method?: string;
  path?: string;
  query?: Record<string, unknown>;
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

/**
 * Runs a function with a name and rights. The name and rights apply to all requests of the function, including
 * requests that the function sends after its result was returned.
 */
export const runAs = <T>({ functionName, statements }: Invocation, run: () => T): T =>
  running.run({ functionName, statements }, run);

/** Runs test code while a function is running. The function's name and rights do not apply to this code. */
export const asTest = <T>(run: () => T): T => running.exit(run);

/** Watches every request of the AWS clients in this process until the returned function is called. */
export function watchWire(watcher: WireWatcher): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

// All clients share the prototype of this class. Responses that test/harness/faults.ts creates bypass this method.
const wire: Handler = NodeHttpHandler.prototype;
const send = wire.handle;

wire.handle = async function handle(request, options) {
  const sent = requestOf(request);
  const waits = [...watchers].flatMap(({ before }) => before?.(sent) ?? []);
  if (waits.length > 0) await Promise.all(waits);
  const startedAt = performance.now();
  const [sentence] = [...watchers].flatMap(({ refuse }) => refuse?.(sent) ?? []);
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
// All test files of a process share the class, so the original methods are restored.
afterAll(() => {
  wire.handle = send;
  SignatureV4.prototype.presign = presign;
  // An enabled AsyncLocalStorage slows down every promise of this process, also in later test files.
  running.disable();
});

/** Reads the whole response, passes it to the watchers, and returns an equal response. */
async function tell(sent: WireRequest, startedAt: number, { response }: HttpResponse): Promise<HttpResponse> {
  const bytes = response.body ? await buffer(response.body) : Buffer.alloc(0);
  const output = parse(bytes);
  const endedAt = performance.now();
  const exchange = { ...sent, status: response.statusCode, output, startedAt, endedAt };
  await Promise.all([...watchers].map(({ done }) => done?.(exchange, sent)));
  return { response: Object.assign(response, { body: streamOf(bytes) }) };
}

/**
 * AWS's JSON protocols name the operation in a header, for example `DynamoDB_20120810.Query` or
 * `AmazonSQS.SendMessage`. In this header, KMS is named TrentService. The IAM actions of DynamoDB Streams start with
 * `dynamodb`, too.
 */
function requestOf({ method = '', path = '', query, headers, body = '' }: HttpRequest): WireRequest {
  const signedFor = /Credential=[^,]*\/([a-z0-9-]+)\/aws4_request/.exec(headers.authorization ?? '')?.[1];
  if (headers['x-amz-target'] === undefined && (signedFor === 'ses' || signedFor === 'sns'))
    return { invocation: running.getStore(), service: signedFor, ...messagingRequest(method, path, body) };
  if (headers['x-amz-target'] === undefined && headers['x-amz-content-sha256'] !== undefined)
    return { invocation: running.getStore(), service: 's3', ...objectRequest(method, path, headers, query) };
  const [target = '', operation = ''] = (headers['x-amz-target'] ?? '').split('.');
  const name = target.replace(/^Amazon|(Streams)?_\d+$/g, '').toLowerCase();
  const service = name === 'trentservice' ? 'kms' : name;
  let parsed: WireRequest['input'] | undefined;
  return {
    invocation: running.getStore(),
    service,
    operation,
    // Parsed only if a watcher reads it. No watcher reads most requests of the test itself.
    get input() {
      parsed ??= parse(body);
      return parsed;
    },
  };
}

/** The operations of SES on an identity, by method and the end of the path. */
const identityOperations: Readonly<Record<string, string>> = {
  'POST /identities': 'CreateEmailIdentity',
  'GET /identities/*': 'GetEmailIdentity',
  'DELETE /identities/*': 'DeleteEmailIdentity',
  'PUT /identities/*/mail-from': 'PutEmailIdentityMailFromAttributes',
};

/** SES has a path for each operation. SNS names the operation in a form field. */
function messagingRequest(method: string, path: string, body: string | Uint8Array) {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  if (path.endsWith('/outbound-emails')) return { operation: 'SendEmail', input: parse(text) };
  const [, identity] = /\/v2\/email(\/identities.*)$/.exec(path) ?? [];
  if (identity !== undefined) {
    const route = `${method} ${identity.replace(/^\/identities\/[^/]+/, '/identities/*')}`;
    return { operation: identityOperations[route] ?? route, input: text === '' ? {} : parse(text) };
  }
  const { Action = '', ...input } = Object.fromEntries(new URLSearchParams(text));
  return { operation: Action, input };
}

/** In S3, the method, headers and query define the operation. The path consists of the bucket and the key. */
function objectRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  query: Record<string, unknown> = {},
) {
  const [, Bucket = '', Key = ''] = /^\/([^/]+)\/?(.*)$/s.exec(decodeURIComponent(path)) ?? [];
  if (Key === '')
    return {
      operation: 'versions' in query ? 'ListBucketVersions' : 'ListBucketMultipartUploads',
      input: { Bucket },
    };
  if (method === 'DELETE' && query.versionId !== undefined)
    return { operation: 'DeleteObjectVersion', input: { Bucket, Key } };
  const source = headers['x-amz-copy-source'];
  const CopySource = source && decodeURIComponent(source).replace(/^\/[^/]+\//, '');
  const verb = `${method.charAt(0)}${method.slice(1).toLowerCase()}`;
  return { operation: source ? 'CopyObject' : `${verb}Object`, input: { Bucket, Key, CopySource } };
}

/** S3 checks a presigned request against the rights of the signer, so `refuse` is called when the URL is signed. */
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
  // An unread body would occupy one of the client's fifty sockets.
  if (fault === 'lost') (await sendIt()).response.body?.resume();
  throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
}

/** A promise that is rejected on abort and otherwise stays pending. */
const hanging = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    const abort = () => reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
  });

/** Returns the whole batch as unprocessed. */
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

/** The object in a JSON body; an empty object for other bodies. */
function parse(body: string | Uint8Array): Record<string, unknown> {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    return {};
  }
}
