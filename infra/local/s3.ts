import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { bucketRules } from '../bucket-rules.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import { S3Error, xmlOf } from './s3-error.ts';
import { openObjects, type Received, type S3Objects, type StoredObject } from './s3-objects.ts';
import { decoded, parametersIn, verifySignature } from './s3-signature.ts';

interface Options {
  /** Where objects are kept. */
  folder: string;
  /** The one bucket there is. */
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  corsOrigins?: readonly string[];
  now?: () => Date;
}

/** A request whose signature holds, for an object of the bucket. */
interface ObjectRequest {
  request: IncomingMessage;
  response: ServerResponse;
  key: string;
  headers: Readonly<Record<string, string>>;
  parameters: ReadonlyMap<string, string>;
  /** The SHA-256 that the body was signed with, in hex. */
  payload: string | undefined;
}

/** Bytes of the largest body: what the service lets through is 25 MB. */
const largestBody = 26 * 1024 * 1024;

/**
 * A small S3 on 127.0.0.1, path style, with one bucket and the operations that the service and its clients use:
 * PutObject, HeadObject, GetObject, CopyObject, DeleteObject, and for operators ListObjectVersions and ListMultipartUploads. It
 * verifies what S3 verifies (signature, expiry, signed headers, length, checksum) and stores nothing that does not hold; what it
 * does not know it answers with NotImplemented instead of passing over it. Objects are files, and outlive the process.
 */
export async function startS3({
  folder,
  bucket,
  corsOrigins = [],
  now = () => new Date(),
  ...signer
}: Options): Promise<LoopbackServer> {
  const objects = openObjects(folder, { ...bucketRules.incoming, now: now() });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const [path = '/', query = ''] = url.split(/\?(.*)/s);
    const { origin, 'access-control-request-method': preflight } = request.headers;
    if (method === 'OPTIONS') {
      const granted = preflight === undefined ? {} : preflightHeaders(corsOrigins, origin, bucketRules.cors);
      if (Object.keys(granted).length === 0)
        throw new S3Error(403, 'AccessForbidden', 'CORSResponse: This CORS request is not allowed.');
      response.writeHead(200, granted).end();
      return;
    }
    for (const [name, value] of Object.entries(corsHeaders(corsOrigins, origin, bucketRules.cors)))
      response.setHeader(name, value);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(',')]),
    );
    const payload = verifySignature({ method, path, query, headers }, { ...signer, now: now() });
    const [, name = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
    if (decoded(name) !== bucket)
      throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist', { BucketName: name });
    const operation = operations[method];
    const parameters = new Map(parametersIn(query));
    if (key === '' && method === 'GET') return sendXml(response, 200, listed(objects, bucket, parameters));
    if (key === '' || !operation) throw notImplemented(`${method} ${key === '' ? 'of a bucket' : ''}`);
    requireKnown(headers, parameters);
    await operation(
      objects,
      { request, response, key: decoded(key), headers, parameters, payload },
      now(),
      bucket,
    );
  }

  return startLoopbackServer((request, response) => {
    serve(request, response).catch((error) => sendError(request, response, error));
  });
}

type Operation = (objects: S3Objects, asked: ObjectRequest, now: Date, bucket: string) => Promise<void>;

const operations: Readonly<Record<string, Operation>> = {
  async PUT(objects, asked, now, bucket) {
    if (asked.headers['x-amz-copy-source'] !== undefined) return copyObject(objects, asked, now, bucket);
    const { request, response, key, headers } = asked;
    const checksum = headers['x-amz-checksum-sha256'];
    requireTakeable(headers);
    const received = await objects.receive(request);
    const wrong = mismatch(received, asked);
    if (wrong) {
      await objects.discard(received);
      throw wrong;
    }
    const { etag } = objects.put(received, {
      key,
      contentType: headers['content-type'] ?? 'binary/octet-stream',
      ...(checksum && { checksum }),
      lastModified: now.toISOString(),
    });
    response.writeHead(200, { etag, ...(checksum && { 'x-amz-checksum-sha256': checksum }) }).end();
  },

  async HEAD(objects, asked) {
    const object = present(objects, asked);
    asked.response.writeHead(200, { ...headersOf(object, asked, true), 'content-length': object.size }).end();
  },

  async GET(objects, asked) {
    const object = present(objects, asked);
    const range = rangeOf(asked.headers.range, object.size);
    const { start, end } = range ?? { start: 0, end: object.size - 1 };
    asked.response.writeHead(range ? 206 : 200, {
      ...headersOf(object, asked, !range),
      'content-length': end - start + 1,
      ...(range && { 'content-range': `bytes ${start}-${end}/${object.size}` }),
    });
    if (end < start) asked.response.end();
    else await pipeline(objects.open(asked.key, { start, end }), asked.response);
  },

  async DELETE(objects, { response, key, parameters }) {
    // It keeps no versions: each object is the one that S3 calls null then.
    const version = parameters.get('versionId') ?? noVersion;
    if (version !== noVersion) throw notImplemented(`version ${version}`);
    objects.remove(key);
    response.writeHead(204).end();
  },
};

/** A bucket without versions has each object in one, of this name. */
const noVersion = 'null';

/** Every version of the objects below a prefix, or their unfinished uploads, of which there are never any; in one page. */
function listed(objects: S3Objects, bucket: string, parameters: ObjectRequest['parameters']): string {
  const unknown = [...parameters.keys()].find((name) => !listParameters.has(name));
  if (unknown !== undefined) throw notImplemented(`${unknown} of a list`);
  const prefix = parameters.get('prefix') ?? '';
  const common = { Prefix: prefix, IsTruncated: 'false' };
  if (parameters.has('uploads')) return xmlOf('ListMultipartUploadsResult', { Bucket: bucket, ...common });
  if (!parameters.has('versions')) throw notImplemented('GET of a bucket but of its versions and uploads');
  const Version = objects.list(prefix).map(({ key, lastModified, etag, size }) => ({
    Key: key,
    VersionId: noVersion,
    IsLatest: 'true',
    LastModified: lastModified,
    ETag: etag,
    Size: String(size),
  }));
  return xmlOf('ListVersionsResult', { Name: bucket, ...common, Version });
}

const listParameters = new Set(['versions', 'uploads', 'prefix', 'x-id']);

async function copyObject(
  objects: S3Objects,
  asked: ObjectRequest,
  now: Date,
  bucket: string,
): Promise<void> {
  const { request, response, key, headers } = asked;
  request.resume();
  const source = decoded(headers['x-amz-copy-source'] ?? '').replace(/^\//, '');
  const [name, from] = [source.slice(0, source.indexOf('/')), source.slice(source.indexOf('/') + 1)];
  if (name !== bucket) throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
  const wanted = headers['x-amz-copy-source-if-match'];
  const found = objects.find(from);
  if (found && wanted !== undefined && wanted !== found.etag)
    throw preconditionFailed('x-amz-copy-source-If-Match');
  const copied = await objects.copy(from, key, now.toISOString());
  if (!copied) throw noSuchKey(from);
  const { etag: ETag, lastModified: LastModified, checksum: ChecksumSHA256 } = copied;
  sendXml(response, 200, xmlOf('CopyObjectResult', { ETag, LastModified, ChecksumSHA256 }));
}

/** Throws where the length of a body says already that it cannot be taken. */
function requireTakeable(headers: ObjectRequest['headers']): void {
  const length = headers['content-length'];
  if (length === undefined)
    throw new S3Error(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  if (Number(length) > largestBody)
    throw new S3Error(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
      MaxSizeAllowed: String(largestBody),
    });
  const checksum = headers['x-amz-checksum-sha256'];
  if (checksum !== undefined && !/^[A-Za-z0-9+/]{43}=$/.test(checksum))
    throw new S3Error(400, 'InvalidRequest', 'Value for x-amz-checksum-sha256 header is invalid.');
}

/** What is wrong with the bytes that came. */
function mismatch({ md5, sha256 }: Received, { headers, payload }: ObjectRequest): S3Error | undefined {
  const checksum = headers['x-amz-checksum-sha256'];
  if (checksum !== undefined && checksum !== sha256.toString('base64'))
    return new S3Error(400, 'BadDigest', 'The SHA256 you specified did not match the calculated checksum.');
  if (headers['content-md5'] !== undefined && headers['content-md5'] !== md5.toString('base64'))
    return new S3Error(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.');
  if (payload !== undefined && payload !== sha256.toString('hex'))
    return new S3Error(
      400,
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  return undefined;
}

/** The object, if it is as the request wants it. */
function present(objects: S3Objects, { key, headers }: ObjectRequest): StoredObject {
  const object = objects.find(key);
  if (!object) throw noSuchKey(key);
  if (headers['if-match'] !== undefined && headers['if-match'] !== object.etag)
    throw preconditionFailed('If-Match');
  return object;
}

/** The headers of an object. The checksum is of the whole object, and only shown with the whole of it. */
function headersOf(object: StoredObject, { headers, parameters }: ObjectRequest, whole: boolean) {
  const { etag, contentType, lastModified, checksum } = object;
  const asked = headers['x-amz-checksum-mode'] === 'ENABLED' && whole && checksum !== undefined;
  const disposition = parameters.get('response-content-disposition');
  return {
    'accept-ranges': 'bytes',
    etag,
    'last-modified': new Date(lastModified).toUTCString(),
    'content-type': parameters.get('response-content-type') ?? contentType,
    ...(disposition !== undefined && { 'content-disposition': disposition }),
    ...(asked && { 'x-amz-checksum-sha256': checksum, 'x-amz-checksum-type': 'FULL_OBJECT' }),
  };
}

/** The bytes that a Range header means, both included. One that is not valid means all of them. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start >= size) throw new S3Error(416, 'InvalidRange', 'The requested range is not satisfiable');
  return start > end ? undefined : { start, end };
}

const knownHeaders =
  /^x-amz-(date|content-sha256|security-token|user-agent|checksum-(sha256|mode)|sdk-checksum-algorithm|copy-source(-if-match)?)$/;
const knownParameters = /^(x-amz-.*|response-content-(disposition|type)|versionId|x-id)$/i;
const unknownConditions = ['if-none-match', 'if-modified-since', 'if-unmodified-since'];

/** Throws for what S3 would go by and this one does not know. */
function requireKnown(headers: ObjectRequest['headers'], parameters: ObjectRequest['parameters']): void {
  const header = Object.keys(headers).find(
    (name) => unknownConditions.includes(name) || (name.startsWith('x-amz-') && !knownHeaders.test(name)),
  );
  const parameter = [...parameters.keys()].find((name) => !knownParameters.test(name));
  const unknown = header ?? parameter;
  if (unknown !== undefined) throw notImplemented(unknown);
}

const notImplemented = (what: string): S3Error =>
  new S3Error(501, 'NotImplemented', `This S3 knows no ${what}.`);
const noSuchKey = (key: string): S3Error =>
  new S3Error(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key });
const preconditionFailed = (condition: string): S3Error =>
  new S3Error(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    Condition: condition,
  });

function sendError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  // The client has closed the connection, so there is nobody to respond to.
  if (request.errored || response.headersSent) {
    response.destroy();
    return;
  }
  if (!(error instanceof S3Error)) console.error(error);
  const known =
    error instanceof S3Error ? error : new S3Error(500, 'InternalError', 'We encountered an internal error.');
  // What is still arriving is not read: the client gets a moment for the response before the connection is cut.
  if (!request.complete) {
    response.setHeader('connection', 'close');
    request.resume();
    setTimeout(() => request.destroy(), 1_000).unref();
  }
  if (request.method === 'HEAD') response.writeHead(known.status).end();
  else sendXml(response, known.status, known.toXml(request.url?.split('?')[0] ?? '/'));
}

const sendXml = (response: ServerResponse, status: number, xml: string): void =>
  void response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
