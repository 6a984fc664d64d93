import { buffer } from 'node:stream/consumers';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { busy } from '../errors.ts';
import { backoff } from '../table/backoff.ts';

/**
 * Access to the S3 bucket by signed requests, without an S3 client. The functions send only four kinds of
 * requests, for which a client would add 200 KB to each bundle. The signer and the HTTP handler add nothing,
 * because the DynamoDB client already contains them.
 */

export interface FileTiming {
  now: Date;
  /** In milliseconds since 1970. Requests are not retried after the deadline. */
  deadline: number;
}

/** A signed request for a client. It is valid until `expiresAt`, and only with exactly these headers. */
export interface PresignedRequest {
  method: 'PUT';
  url: string;
  headers: Record<string, string>;
  expiresAt: string;
}

/** The properties of an object in S3. */
export interface FoundObject {
  etag: string;
  /** In bytes. */
  size: number;
  contentType: string | undefined;
  /** SHA-256 in hex, verified by S3; undefined if the upload had no checksum. */
  sha256: string | undefined;
}

interface FileDescription {
  contentType: string;
  size: number;
  sha256: string;
}

const signer = new SignatureV4({
  service: 's3',
  region: async () => setting('AWS_REGION'),
  credentials: async () => ({
    accessKeyId: setting('AWS_ACCESS_KEY_ID'),
    secretAccessKey: setting('AWS_SECRET_ACCESS_KEY'),
    sessionToken: process.env.AWS_SESSION_TOKEN,
  }),
  sha256: Hash.bind(null, 'sha256'),
  // S3 signs paths that are percent-encoded once. By default, the signer encodes them twice.
  uriEscapePath: false,
  applyChecksum: true,
});

const handler = new NodeHttpHandler({ connectionTimeout: 2_000 });
/** The longest time of one request with its response, and the shortest time that a request gets, in milliseconds. */
const [longestRequest, shortestRequest] = [8_000, 1_000];

const unsigned = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };

/**
 * Signs a PUT that can store only the described bytes, because their type, length and checksum are signed
 * headers. By default, the signer would move the checksum to the query, and S3 ignores a checksum in the
 * query.
 */
export async function presignUpload(
  key: string,
  { contentType, size, sha256 }: FileDescription,
  { now, seconds }: { now: Date; seconds: number },
): Promise<PresignedRequest> {
  const headers = {
    'content-type': contentType,
    'content-length': String(size),
    'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
  };
  const request = requestTo('PUT', key, { headers: { ...headers, ...unsigned } });
  const signed = await signer.presign(request, {
    signingDate: now,
    expiresIn: seconds,
    unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
  });
  return { method: 'PUT', url: urlOf(new HttpRequest(signed)), headers, expiresAt: expiryOf(now, seconds) };
}

/** Signs a URL that downloads the object as an attachment until the URL expires. */
export async function presignDownload(
  key: string,
  { fileName, contentType }: { fileName: string; contentType: string },
  { now, seconds }: { now: Date; seconds: number },
): Promise<{ url: string; expiresAt: string }> {
  const query = {
    'response-content-disposition': attachment(fileName),
    'response-content-type': contentType,
  };
  const request = requestTo('GET', key, { query, headers: unsigned });
  const signed = await signer.presign(request, { signingDate: now, expiresIn: seconds });
  return { url: urlOf(new HttpRequest(signed)), expiresAt: expiryOf(now, seconds) };
}

/** Returns the properties of an object, or undefined if the object does not exist. */
export async function findObject(key: string, timing: FileTiming): Promise<FoundObject | undefined> {
  const response = await send('HEAD', key, { headers: { 'x-amz-checksum-mode': 'ENABLED' } }, timing);
  if (response.status === 404) return undefined;
  const { etag = '', 'content-length': size, 'content-type': contentType } = response.headers;
  const checksum = response.headers['x-amz-checksum-sha256'];
  const sha256 = checksum === undefined ? undefined : Buffer.from(checksum, 'base64').toString('hex');
  return { etag, size: Number(size), contentType, sha256 };
}

/** Returns the first `count` bytes of an object and its ETag, or undefined if the object is missing or empty. */
export async function readStart(
  key: string,
  count: number,
  timing: FileTiming,
): Promise<{ etag: string; bytes: Buffer } | undefined> {
  const response = await send('GET', key, { headers: { range: `bytes=0-${count - 1}` } }, timing);
  // Status 416 means that the object is empty.
  if (response.status === 404 || response.status === 416) return undefined;
  return { etag: response.headers.etag ?? '', bytes: response.body };
}

/**
 * Returns the size of an object and its first `most` bytes, which are the whole object if it is not larger. Undefined if the
 * object does not exist.
 */
export async function readAtMost(
  key: string,
  most: number,
  timing: FileTiming,
): Promise<{ bytes: Buffer; size: number } | undefined> {
  const response = await send('GET', key, { headers: { range: `bytes=0-${most - 1}` } }, timing);
  if (response.status === 404) return undefined;
  // Status 416 means that the object is empty.
  if (response.status === 416) return { bytes: Buffer.alloc(0), size: 0 };
  const size = Number(/\/(\d+)$/.exec(response.headers['content-range'] ?? '')?.[1] ?? response.body.length);
  return { bytes: response.body, size };
}

/** Stores an object. Replaces an object with the same key. */
export async function putObject(
  key: string,
  body: Uint8Array,
  { contentType, sha256 }: Pick<FileDescription, 'contentType' | 'sha256'>,
  timing: FileTiming,
): Promise<void> {
  const headers = {
    'content-type': contentType,
    'content-length': String(body.byteLength),
    'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
  };
  await send('PUT', key, { headers, body }, timing);
}

/** Returns the content of an object, or undefined if the object does not exist. */
export async function readObject(key: string, timing: FileTiming): Promise<Buffer | undefined> {
  const response = await send('GET', key, {}, timing);
  return response.status === 404 ? undefined : response.body;
}

/** Copies an object, with an `etag` only if it still has this ETag. Returns false if the object was not copied. */
export async function copyObject(
  from: string,
  to: string,
  etag: string | undefined,
  timing: FileTiming,
): Promise<boolean> {
  const headers = {
    'x-amz-copy-source': `/${encodeURIComponent(bucketName())}/${pathOf(from)}`,
    ...(etag !== undefined && { 'x-amz-copy-source-if-match': etag }),
  };
  const { status } = await send('PUT', to, { headers }, timing);
  return status === 200;
}

/** Deletes an object. Also succeeds if the object does not exist. */
export const deleteObject = async (key: string, timing: FileTiming): Promise<void> =>
  void (await send('DELETE', key, {}, timing));

interface PresignedParts {
  headers?: Record<string, string>;
  query?: Record<string, string>;
  body?: Uint8Array;
}

interface BucketResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The statuses that `send` returns to its caller. */
const expected = new Set([200, 204, 206, 404, 412, 416]);
/** Statuses after which a retry can succeed. */
const transientStatuses = new Set([409, 429, 500, 502, 503, 504]);

/** Reports whether a retry can succeed. Also reads the body, because S3 sends RequestTimeout with status 400. */
const isTransient = ({ status, body }: BucketResponse): boolean =>
  transientStatuses.has(status) || body.includes('<Code>RequestTimeout</Code>');

/**
 * Sends a signed request. All requests are idempotent, so transient errors are retried with full jitter until the
 * deadline. Throws `busy` after the deadline. For any other error response, throws an Error immediately.
 */
async function send(
  method: 'HEAD' | 'GET' | 'PUT' | 'DELETE',
  key: string,
  parts: PresignedParts,
  { now, deadline }: FileTiming,
): Promise<BucketResponse> {
  for (let attempt = 1; ; attempt++) {
    const signed = await signer.sign(requestTo(method, key, parts), { signingDate: now });
    const response = await sendOnce(new HttpRequest(signed), deadline);
    if (response && expected.has(response.status)) return response;
    if (response && !isTransient(response))
      throw new Error(
        `S3 responded to ${method} with ${response.status}: ${response.body.toString().slice(0, 500)}`,
      );
    if (Date.now() >= deadline) throw busy(`S3 ${response?.status ?? 'sent no response'}`);
    await backoff(attempt);
  }
}

/** Returns undefined if no complete response arrived. A request in flight at the deadline is aborted. */
async function sendOnce(request: HttpRequest, deadline: number): Promise<BucketResponse | undefined> {
  const left = Math.max(shortestRequest, Math.min(longestRequest, deadline - Date.now()));
  try {
    // The option `requestTimeout` of the handler would only write a warning to the log.
    const { response } = await handler.handle(request, { abortSignal: AbortSignal.timeout(left) });
    const body = await buffer(response.body);
    // A copy can fail after S3 has sent status 200:
    // docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html
    const failed = response.statusCode === 200 && request.method === 'PUT' && body.includes('<Error>');
    return { status: failed ? 500 : response.statusCode, headers: response.headers, body };
  } catch {
    return undefined;
  }
}

function requestTo(
  method: string,
  key: string,
  { headers = {}, query = {}, body }: PresignedParts,
): HttpRequest {
  const { protocol, hostname, port, path } = bucketAddress();
  return new HttpRequest({
    method,
    protocol,
    hostname,
    port,
    path: `${path}/${pathOf(key)}`,
    query,
    body,
    headers: { host: port === undefined ? hostname : `${hostname}:${port}`, ...headers },
  });
}

/** On AWS, each bucket has its own host name. Other S3 services expect the bucket in the path. */
function bucketAddress(): { protocol: string; hostname: string; port?: number; path: string } {
  const bucket = bucketName();
  const elsewhere = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  if (!elsewhere)
    return { protocol: 'https:', hostname: `${bucket}.s3.${setting('AWS_REGION')}.amazonaws.com`, path: '' };
  const { protocol, hostname, port, pathname } = new URL(elsewhere);
  const path = `${pathname.replace(/\/$/, '')}/${bucket}`;
  return { protocol, hostname, ...(port && { port: Number(port) }), path };
}

function urlOf({ protocol, headers, path, query }: HttpRequest): string {
  const parameters = Object.entries(query).map(
    ([name, value]) => `${encoded(name)}=${encoded(String(value))}`,
  );
  return `${protocol}//${headers.host}${path}?${parameters.join('&')}`;
}

const pathOf = (key: string): string => key.split('/').map(encoded).join('/');

/** Percent-encodes a text as RFC 3986 and S3 signatures require. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Returns a Content-Disposition header (RFC 6266). Old clients use the ASCII name in `filename`. Both names are
 * escaped, so a file name cannot add parameters to the header.
 */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w .()-]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded(fileName)}`;
}

/** Returns the expiry in ISO 8601, rounded down because signatures have a resolution of one second. */
const expiryOf = (now: Date, seconds: number): string =>
  new Date((Math.floor(now.getTime() / 1000) + seconds) * 1000).toISOString();

const bucketName = (): string => setting('BUCKET_NAME');

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set the environment variable ${name}.`);
  return value;
}
