import { createHash } from 'node:crypto';
import { buildApp } from 'fauxqs';
import { bucketRules } from '../bucket-rules.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { foreignReason } from './door.ts';
import { type LoopbackServer, noKeepAliveTimeout } from './loopback-server.ts';
import { asS3Error, S3Error } from './s3-error.ts';
import { openObjects } from './s3-objects.ts';
import { type Verifier, verifySignature } from './signature.ts';

interface S3Options extends Omit<Verifier, 'now'> {
  folder: string;
  bucket: string;
  corsOrigins?: readonly string[];
  now?: () => Date;
}

interface S3Request {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  params: unknown;
  query: unknown;
}

/** The maximum size of a body in bytes. It is larger than the limit of the API for files, 25 MB. */
const largestBody = 26 * 1024 * 1024;

/**
 * The metadata field in which this server stores a checksum. fauxqs ignores checksums, but stores and copies
 * metadata.
 */
const checksumMetadata = 'x-amz-meta-checksum-sha256';

/**
 * Starts fauxqs, an S3 emulator, on 127.0.0.1 with one bucket and path-style URLs. fauxqs accepts every request and
 * implements no checksums, copy conditions or versions. So this server first verifies each request as S3 does:
 * signature, expiry, signed headers and body digest. Pages of the allowed origins may use presigned URLs; see door.ts
 * for other pages. Only the requests of the service and its operators' commands are
 * supported. Other requests fail with NotImplemented. Objects are stored as files and survive a restart.
 */
export async function startS3({
  folder,
  bucket,
  corsOrigins = [],
  now = () => new Date(),
  ...signer
}: S3Options): Promise<LoopbackServer> {
  const objects = openObjects(folder, now);
  type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;
  // The cast is necessary, because fauxqs does not export the type of a store. It is safe, because
  // `requireSupported` accepts only requests that `objects` can handle.
  const app = buildApp({ logger: false, stores: { s3Store: objects } as unknown as Stores });
  app.server.keepAliveTimeout = noKeepAliveTimeout;
  app.removeContentTypeParser('*');
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestBody }, (_, body, done) =>
    done(null, body),
  );

  app.addHook('onRequest', async (request) => {
    const reason = foreignReason(request.raw, corsOrigins);
    if (reason !== undefined) throw new S3Error(403, 'AccessDenied', reason);
  });
  app.options('/*', (request, reply) => {
    const granted = preflightHeaders(corsOrigins, request.headers.origin, bucketRules.cors);
    if (Object.keys(granted).length === 0)
      throw new S3Error(403, 'AccessForbidden', 'CORSResponse: This CORS request is not allowed.');
    reply.headers(granted).send();
  });
  app.addHook('preHandler', async (request, reply) => {
    if (request.method === 'OPTIONS') return;
    reply.headers(corsHeaders(corsOrigins, request.headers.origin, bucketRules.cors));
    const payload = await verifySignature(request, { ...signer, now: now() });
    requireSupported(request, bucket);
    if (request.headers['x-amz-copy-source'] !== undefined) requireSource(request);
    else if (request.method === 'PUT') requireDigest(request, payload);
  });
  app.addHook('onSend', async (request, reply, body) => {
    const checksum = reply.getHeader(checksumMetadata);
    reply.removeHeader(checksumMetadata);
    if (reply.statusCode >= 300) return body;
    const query = new Map(Object.entries(Object(request.query)));
    const contentType = query.get('response-content-type');
    if (contentType !== undefined) reply.header('content-type', contentType);
    const disposition = query.get('response-content-disposition');
    if (disposition !== undefined) reply.header('content-disposition', disposition);
    // The checksum covers the complete object, so a response with a range omits the checksum.
    if (checksum && request.headers['x-amz-checksum-mode'] === 'ENABLED' && reply.statusCode === 200)
      reply.header('x-amz-checksum-sha256', checksum).header('x-amz-checksum-type', 'FULL_OBJECT');
    if (!query.has('versions')) return body;
    return String(body)
      .replaceAll('ListBucketResult', 'ListVersionsResult')
      .replaceAll('<Contents>', `<Version><VersionId>${noVersion}</VersionId><IsLatest>true</IsLatest>`)
      .replaceAll('</Contents>', '</Version>');
  });
  app.setErrorHandler((error, _, reply) => {
    const { status, xml } = asS3Error(error);
    reply.status(status).type('application/xml').send(xml);
  });

  function requireSource({ headers }: S3Request): void {
    const source = decodeURIComponent(String(headers['x-amz-copy-source'])).replace(/^\//, '');
    const key = source.slice(bucket.length + 1);
    if (source !== `${bucket}/${key}`) throw noSuchBucket();
    const expected = headers['x-amz-copy-source-if-match'];
    if (expected !== undefined && expected !== objects.getObject(bucket, key).etag)
      throw new S3Error(412, 'PreconditionFailed', 'The object has another ETag.');
  }

  return {
    endpoint: await app.listen({ port: 0, host: '127.0.0.1' }),
    // fauxqs configures its server so that this call closes all connections.
    stop: () => app.close(),
  };
}

/** The version id of all objects, because the bucket has no versions. */
const noVersion = 'null';

const supportedHeaders =
  /^(?!x-amz-|content-md5$)|^x-amz-(date|content-sha256|security-token|user-agent|checksum-(sha256|mode)|sdk-checksum-algorithm|copy-source(-if-match)?)$/;
const supportedParameters = {
  bucket: /^(versions|uploads|prefix|x-id)$/,
  object: /^(x-amz-.*|response-content-(disposition|type)|versionId|x-id)$/i,
};
const objectMethods = ['PUT', 'GET', 'HEAD', 'DELETE'];

/** Throws if fauxqs would ignore a part of the request. */
function requireSupported({ method, headers, params, query }: S3Request, bucket: string): void {
  const { bucket: name, '*': key = '' } = Object(params);
  if (name !== bucket) throw noSuchBucket();
  const parameters = Object.keys(Object(query));
  const [methods, supported] =
    key === '' ? [['GET'], supportedParameters.bucket] : [objectMethods, supportedParameters.object];
  const isList = key !== '' || parameters.some((one) => one === 'versions' || one === 'uploads');
  const { versionId = noVersion } = Object(query);
  const unknown =
    !isList || !methods.includes(method) || versionId !== noVersion
      ? 'this operation'
      : [
          ...Object.keys(headers).filter((one) => !supportedHeaders.test(one)),
          ...parameters.filter((one) => !supported.test(one)),
        ][0];
  if (unknown !== undefined)
    throw new S3Error(501, 'NotImplemented', `The local S3 does not implement ${unknown}.`);
}

/** Throws if the body's digest differs from the digest in the headers. Stores a verified checksum as metadata. */
function requireDigest({ headers, body }: S3Request, payload: string | undefined): void {
  const checksum = headers['x-amz-checksum-sha256'];
  const digest = createHash('sha256')
    .update(Buffer.isBuffer(body) ? body : '')
    .digest();
  if (checksum !== undefined && checksum !== digest.toString('base64'))
    throw new S3Error(400, 'BadDigest', 'The SHA256 you specified did not match the calculated checksum.');
  if (payload !== undefined && payload !== digest.toString('hex'))
    throw new S3Error(400, 'XAmzContentSHA256Mismatch', 'The body does not have the signed SHA-256.');
  if (checksum !== undefined) headers[checksumMetadata] = checksum;
}

const noSuchBucket = () => new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
