import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type LoopbackServer, startLoopbackServer } from '../administration/loopback-server.ts';
import { bucketRules } from '../bucket-rules.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { foreignReason } from './door.ts';
import { asS3Error, S3Error } from './s3-error.ts';
import { openObjects, type StoredObject } from './s3-objects.ts';
import { type Verifier, verifySignature } from './signature.ts';

interface S3Options extends Omit<Verifier, 'now'> {
  folder: string;
  bucket: string;
  corsOrigins?: readonly string[];
  now?: () => Date;
}

interface Call {
  key: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** Reads the body. Throws if the body differs from its digests. */
  readBody: () => Promise<Buffer>;
}

interface S3Response {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** The maximum size of a body in bytes: that of a mail that SES stores. The limit of the API for files is lower, 25 MB. */
const largestBody = 40 * 1024 * 1024;

/**
 * Starts an S3 server on 127.0.0.1 with one bucket and path-style URLs. It implements the requests of the service and its
 * operators' commands. Other requests fail with NotImplemented. It verifies each request as S3 does: signature, expiry,
 * signed headers and body digests. Pages of the allowed origins may use presigned URLs; see door.ts for other pages.
 * Objects are stored as files and survive a restart.
 */
export async function startS3({
  folder,
  bucket,
  corsOrigins = [],
  now = () => new Date(),
  ...signer
}: S3Options): Promise<LoopbackServer> {
  const operations = operationsOn(openObjects(folder, now), bucket);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<S3Response> {
    const { method = '', url = '', headers } = request;
    const reason = foreignReason(request, corsOrigins);
    if (reason !== undefined) throw new S3Error(403, 'AccessDenied', reason);
    if (method === 'OPTIONS') {
      const granted = preflightHeaders(corsOrigins, headers.origin, bucketRules.cors);
      if (Object.keys(granted).length > 0) return { headers: granted };
      throw new S3Error(403, 'AccessForbidden', 'CORSResponse: This CORS request is not allowed.');
    }
    response.setHeaders(new Map(Object.entries(corsHeaders(corsOrigins, headers.origin, bucketRules.cors))));
    const payload = await verifySignature({ method, url, headers }, { ...signer, now: now() });

    const [path = '', search] = url.split(/\?(.*)/s);
    const [, name, key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(decodeURIComponent(path)) ?? [];
    if (name !== bucket) throw noSuchBucket();
    const query = new URLSearchParams(search);
    const listing = ['versions', 'uploads'].find((one) => query.has(one));
    const operation = operations[[method, key === '' ? 'bucket' : 'object', listing].join(' ').trim()];
    if (operation === undefined) throw notImplemented('this operation');
    requireSupported(headers, query);
    return operation({ key, query, headers, readBody: () => readBody(request, payload) });
  }

  return startLoopbackServer(async (request, response) => {
    // AWS clients correct their clock by this header.
    response.setHeader('date', now().toUTCString());
    try {
      send(response, await respond(request, response));
    } catch (error) {
      // The client has closed the connection.
      if (request.errored) return;
      const { status, code, message } = asS3Error(error);
      send(response, {
        status,
        ...xml('Error', `<Code>${code}</Code><Message>${escaped(message)}</Message>`),
      });
    }
  });
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: S3Response): void {
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries(headers))).end(body);
}

/** The version id of all objects, because the bucket has no versions. */
const noVersion = 'null';

const operationsOn = (
  objects: ReturnType<typeof openObjects>,
  bucket: string,
): Record<string, (call: Call) => Promise<S3Response> | S3Response> => ({
  async 'PUT object'({ key, headers, readBody }) {
    const copySource = headers['x-amz-copy-source'];
    if (copySource !== undefined) {
      const [, name, from = ''] = /^\/?([^/]*)\/(.*)$/s.exec(decodeURIComponent(String(copySource))) ?? [];
      if (name !== bucket) throw noSuchBucket();
      const source = objects.get(from);
      if (source.etag !== (headers['x-amz-copy-source-if-match'] ?? source.etag))
        throw new S3Error(412, 'PreconditionFailed', 'The object has another ETag.');
      return xml('CopyObjectResult', `<ETag>${escaped(objects.put(key, source).etag)}</ETag>`);
    }
    const body = await readBody();
    const { 'content-type': contentType = 'binary/octet-stream', 'x-amz-checksum-sha256': sha256 } = headers;
    const { etag } = objects.put(key, { body, contentType, sha256: sha256?.toString() });
    return { headers: { etag } };
  },
  'GET object': (call) => download(objects.get(call.key), call),
  'HEAD object': (call) => download(objects.get(call.key), call),
  'DELETE object'({ key }) {
    objects.delete(key);
    return { status: 204 };
  },
  'GET bucket versions'({ query }) {
    const versions = objects
      .keys(query.get('prefix') ?? '')
      .map((key) => `<Version><Key>${escaped(key)}</Key><VersionId>${noVersion}</VersionId></Version>`);
    return xml('ListVersionsResult', versions.join(''));
  },
  'GET bucket uploads': () => xml('ListMultipartUploadsResult', ''),
});

/** Returns an object, or the range of bytes in the Range header. */
function download({ body, ...object }: StoredObject, { headers, query }: Call): S3Response {
  const contentDisposition = query.get('response-content-disposition');
  const described = {
    'content-type': query.get('response-content-type') ?? object.contentType,
    ...(contentDisposition && { 'content-disposition': contentDisposition }),
    etag: object.etag,
    'last-modified': object.lastModified.toUTCString(),
  };
  const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (start === undefined) {
    // The checksum covers the complete object, so a response with a range omits the checksum.
    const checksum = headers['x-amz-checksum-mode'] === 'ENABLED' && object.sha256;
    const verified = checksum && { 'x-amz-checksum-sha256': checksum, 'x-amz-checksum-type': 'FULL_OBJECT' };
    return { headers: { ...described, 'content-length': String(body.length), ...verified }, body };
  }
  const part = body.subarray(Number(start), end ? Number(end) + 1 : undefined);
  if (part.length === 0) throw new S3Error(416, 'InvalidRange', 'The requested range cannot be satisfied.');
  const range = `bytes ${start}-${Number(start) + part.length - 1}/${body.length}`;
  return { status: 206, headers: { ...described, 'content-range': range }, body: part };
}

const supportedHeaders =
  /^(?!x-amz-|content-md5$)|^x-amz-(date|content-sha256|security-token|user-agent|checksum-(sha256|mode)|sdk-checksum-algorithm|copy-source(-if-match)?)$/;
const supportedParameters =
  /^(x-amz-.*|response-content-(disposition|type)|versionId|versions|uploads|prefix|x-id)$/i;

/** Throws if the server would ignore a part of the request. */
function requireSupported(headers: IncomingHttpHeaders, query: URLSearchParams): void {
  if ((query.get('versionId') ?? noVersion) !== noVersion) throw notImplemented('this operation');
  const unknown =
    Object.keys(headers).find((one) => !supportedHeaders.test(one)) ??
    [...query.keys()].find((one) => !supportedParameters.test(one));
  if (unknown !== undefined) throw notImplemented(unknown);
}

/** `payload` is the signed SHA-256 of the body in hex, or undefined if the body is not signed. */
async function readBody(request: IncomingMessage, payload: string | undefined): Promise<Buffer> {
  const { 'content-length': length, 'x-amz-checksum-sha256': checksum } = request.headers;
  if (length === undefined)
    throw new S3Error(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  if (Number(length) > largestBody)
    throw new S3Error(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  const body = await buffer(request);
  const digest = createHash('sha256').update(body).digest();
  if (checksum !== undefined && checksum !== digest.toString('base64'))
    throw new S3Error(400, 'BadDigest', 'The SHA256 you specified did not match the calculated checksum.');
  if (payload !== undefined && payload !== digest.toString('hex'))
    throw new S3Error(400, 'XAmzContentSHA256Mismatch', 'The body does not have the signed SHA-256.');
  return body;
}

const noSuchBucket = () => new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
const notImplemented = (part: string) =>
  new S3Error(501, 'NotImplemented', `The local S3 does not implement ${part}.`);

const xml = (element: string, content: string) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?>\n<${element}>${content}</${element}>`,
});

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
