import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startS3 } from '../../infra/local/s3.ts';
import {
  attachment,
  copyObject,
  deleteObject,
  findObject,
  presignDownload,
  presignUpload,
  readStart,
} from '../../shared/documents/bucket.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const origin = 'http://localhost:5173';
let now = new Date();
let folder = '';
let stop = async () => {};
const timing = () => ({ now, deadline: Date.now() + 5_000 });

async function start(): Promise<void> {
  const s3 = await startS3({
    folder,
    bucket: 'files',
    region: 'us-east-1',
    accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: 'local',
    corsOrigins: [origin],
    now: () => now,
  });
  Object.assign(process.env, { BUCKET_NAME: 'files', AWS_ENDPOINT_URL_S3: s3.endpoint });
  stop = s3.stop;
}

beforeEach(async () => {
  await stop();
  now = new Date();
  folder = join(temporaryFolder(), 'objects');
  await start();
});
afterAll(() => stop());

const bytes = Buffer.from('%PDF-1.7 a voided check');
const described = (file: Buffer, contentType = 'application/pdf') => ({
  contentType,
  size: file.length,
  sha256: createHash('sha256').update(file).digest('hex'),
});
const key = 'incoming/acme/application/app_1/7';
const presigned = (file = bytes) => presignUpload(key, described(file), { now, seconds: 900 });

/** Sends a PUT with exactly these headers and bytes. */
function put(
  url: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'PUT', headers }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function clientOf(): S3Client {
  const credentials = { accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '', secretAccessKey: 'local' };
  const endpoint = process.env.AWS_ENDPOINT_URL_S3;
  return new S3Client({
    ...{ endpoint, credentials, region: 'us-east-1', forcePathStyle: true, maxAttempts: 1 },
    // Disables the checksum that the client adds by default, because the server would verify it before the
    // signed hash.
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
}

const codeOf = ({ status, text }: { status: number; text: string }) =>
  [status, /<Code>(\w+)<\/Code>/.exec(text)?.[1]] as const;

/** The files in the folder. */
const stored = (): string[] => readdirSync(folder);

describe('an upload to the local S3', () => {
  test('an upload of the described bytes is stored with its verified checksum', async () => {
    const { url, headers } = await presigned();
    expect(await put(url, headers, bytes)).toEqual({ status: 200, text: '' });
    const found = await findObject(key, timing());
    expect(found).toEqual({ etag: expect.stringMatching(/^"\w{32}"$/), ...described(bytes) });
    expect(await readStart(key, 5, timing())).toEqual({ etag: found?.etag, bytes: Buffer.from('%PDF-') });
    expect(await readStart(key, 5_000, timing())).toMatchObject({ bytes });
    expect(stored().map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);
  });

  const changed = Buffer.from(bytes);
  changed[changed.length - 1] = 0;
  /** A change of the URL, the headers or the body of an upload. A header with the value undefined is removed. */
  interface Change {
    url?: [from: string | RegExp, to: string];
    headers?: Record<string, string | undefined>;
    body?: Buffer;
  }
  const otherChecksum = createHash('sha256').update(changed).digest('base64');
  const longer = Buffer.concat([bytes, bytes]).subarray(0, 24);
  test.each<[string, Change, string]>([
    ['with a byte changed', { body: changed }, '400 BadDigest'],
    ['that is longer', { headers: { 'content-length': '24' }, body: longer }, '403 SignatureDoesNotMatch'],
    [
      'that is shorter',
      { headers: { 'content-length': '22' }, body: bytes.subarray(0, 22) },
      '403 SignatureDoesNotMatch',
    ],
    [
      'in chunks without a length',
      { headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' } },
      '403 SignatureDoesNotMatch',
    ],
    ['of another content type', { headers: { 'content-type': 'text/html' } }, '403 SignatureDoesNotMatch'],
    [
      'without its checksum',
      { headers: { 'x-amz-checksum-sha256': undefined } },
      '403 SignatureDoesNotMatch',
    ],
    [
      'with other bytes and their checksum',
      { headers: { 'x-amz-checksum-sha256': otherChecksum }, body: changed },
      '403 SignatureDoesNotMatch',
    ],
    ['to another key', { url: ['/app_1/7', '/app_1/8'] }, '403 SignatureDoesNotMatch'],
    ['with a later expiry', { url: ['Expires=900', 'Expires=9000'] }, '403 SignatureDoesNotMatch'],
    [
      'without the signature parameter',
      { url: [/&X-Amz-Signature=\w+/, ''] },
      '400 AuthorizationQueryParametersError',
    ],
    ['without any signature parameters', { url: [/\?.*/, ''] }, '403 AccessDenied'],
    [
      'with an unsigned S3 header',
      { headers: { 'x-amz-copy-source': '/files/documents/acme/secret' } },
      '403 AccessDenied',
    ],
    ['with another access key', { url: [/Credential=\w+/, 'Credential=other'] }, '403 InvalidAccessKeyId'],
    ['to another bucket', { url: ['/files/', '/others/'] }, '403 SignatureDoesNotMatch'],
  ])('an upload %s is rejected, and nothing is stored', async (_, change, expected) => {
    const signed = await presigned();
    const headers = Object.fromEntries(
      Object.entries({ ...signed.headers, ...change.headers }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    const url = signed.url.replace(...(change.url ?? ['', '']));
    const response = await put(url, headers, change.body ?? bytes);
    expect(codeOf(response).join(' ')).toBe(expected);
    expect(await findObject(key, timing())).toBeUndefined();
    expect(stored()).toEqual([]);
  });

  test('an upload whose body does not have the signed hash is rejected, and nothing is stored', async () => {
    const client = clientOf();
    const upload = new PutObjectCommand({ Bucket: 'files', Key: key, Body: bytes });
    await client.send(upload);
    expect(await findObject(key, timing())).toMatchObject({ size: bytes.length });
    await deleteObject(key, timing());
    client.middlewareStack.add(
      (next) => (args) => {
        Object.assign(args.request as object, { body: changed });
        return next(args);
      },
      // Runs after the request is signed.
      { step: 'deserialize', priority: 'low' },
    );
    await expect(client.send(upload)).rejects.toMatchObject({
      name: 'XAmzContentSHA256Mismatch',
      $metadata: { httpStatusCode: 400 },
    });
    expect(stored()).toEqual([]);
    client.destroy();
  });

  test('an upload is accepted until the URL expires, and is then rejected', async () => {
    const { url, headers, expiresAt } = await presigned();
    now = new Date(Date.parse(expiresAt) + 1);
    expect(codeOf(await put(url, headers, bytes))).toEqual([403, 'AccessDenied']);
    expect(stored()).toEqual([]);
    now = new Date(Date.parse(expiresAt) - 1);
    expect((await put(url, headers, bytes)).status).toBe(200);
  });

  test('an interrupted upload leaves the old object unchanged', async () => {
    const first = await presigned();
    await put(first.url, first.headers, bytes);
    const before = stored().sort();
    const large = randomBytes(100_000);
    const { url, headers } = await presigned(large);
    await new Promise<void>((resolve) => {
      const sent = httpRequest(url, { method: 'PUT', headers });
      sent.on('error', () => resolve());
      sent.write(large.subarray(0, 50_000), () =>
        setTimeout(() => sent.destroy(new Error('interrupted')), 50),
      );
    });
    await expect.poll(() => stored().sort()).toEqual(before);
    expect(await findObject(key, timing())).toMatchObject(described(bytes));
  });

  test('an upload of 25 MB is accepted, and an upload of 41 MB is rejected', async () => {
    const allowed = randomBytes(25 * 1024 * 1024);
    const { url, headers } = await presigned(allowed);
    expect((await put(url, headers, allowed)).status).toBe(200);
    const large = await presigned(Buffer.alloc(41 * 1024 * 1024));
    const rejected = await fetch(large.url, {
      method: 'PUT',
      headers: large.headers,
      body: Buffer.alloc(41 * 1024 * 1024),
    }).catch(() => undefined);
    // The server may close the connection while the client is still sending. Then the client cannot read the
    // response.
    if (rejected) expect(await rejected.text()).toContain('<Code>EntityTooLarge</Code>');
    expect(await findObject(key, timing())).toMatchObject({ size: allowed.length });
  });

  test('the CORS preflight of an upload succeeds only for an allowed origin', async () => {
    const { url, headers } = await presigned();
    const preflight = (from: string) =>
      fetch(url, {
        method: 'OPTIONS',
        headers: { origin: from, 'access-control-request-method': 'PUT' },
      });
    const allowed = await preflight(origin);
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(allowed.headers.get('access-control-allow-headers')).toBe('content-type,x-amz-checksum-sha256');
    expect((await preflight('http://elsewhere.test')).status).toBe(403);
    const response = await fetch(url, { method: 'PUT', headers: { ...headers, origin }, body: bytes });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  });
});

describe('an object of the local S3', () => {
  beforeEach(async () => {
    const { url, headers } = await presigned();
    await put(url, headers, bytes);
  });

  test('an object survives a restart, and an incomplete file is deleted', async () => {
    await stop();
    writeFileSync(join(folder, 'left-over.object.tmp'), 'from a killed process');
    await start();
    expect(await findObject(key, timing())).toMatchObject(described(bytes));
    expect(existsSync(join(folder, 'left-over.object.tmp'))).toBe(false);
    expect(stored()).toHaveLength(1);
  });

  test('an object below incoming/ is deleted after a day, but its copy remains', async () => {
    await copyObject(
      key,
      'documents/acme/application/app_1/7',
      (await findObject(key, timing()))?.etag ?? '',
      timing(),
    );
    await stop();
    now = new Date(now.getTime() + 25 * 3_600_000);
    await start();
    expect(await findObject(key, timing())).toBeUndefined();
    expect(await findObject('documents/acme/application/app_1/7', timing())).toMatchObject(described(bytes));
    expect(stored()).toHaveLength(1);
  });

  test('an object is copied with its checksum, but not if its ETag has changed', async () => {
    const { etag = '' } = (await findObject(key, timing())) ?? {};
    expect(await copyObject(key, 'documents/a', '"another"', timing())).toBe(false);
    expect(await copyObject('incoming/none', 'documents/a', etag, timing())).toBe(false);
    expect(await findObject('documents/a', timing())).toBeUndefined();
    expect(await copyObject(key, 'documents/a', etag, timing())).toBe(true);
    expect(await findObject('documents/a', timing())).toEqual({ etag, ...described(bytes) });
  });

  test('deleting an object twice is not an error', async () => {
    await deleteObject(key, timing());
    await deleteObject(key, timing());
    expect(await findObject(key, timing())).toBeUndefined();
    expect(await readStart(key, 5, timing())).toBeUndefined();
    expect(stored()).toEqual([]);
  });

  test('an object is downloaded by its URL as an attachment, until the URL expires or is changed', async () => {
    const fileName = 'Prüfung "2026"\r\nset-cookie: a=b.pdf';
    const { url, expiresAt } = await presignDownload(
      key,
      { fileName, contentType: 'application/pdf' },
      { now, seconds: 300 },
    );
    const response = await fetch(url);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.get('content-disposition')).toBe(attachment(fileName));
    expect(response.headers.get('set-cookie')).toBeNull();
    const inline = url.replace('attachment', 'inline');
    expect(inline).not.toBe(url);
    expect((await fetch(inline)).status).toBe(403);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
    now = new Date(Date.parse(expiresAt) + 1);
    const late = await fetch(url);
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining('Request has expired')]);
  });

  test('an object whose key contains ../ is stored inside the folder', async () => {
    const climbing = '../../outside';
    const { url, headers } = await presignUpload(climbing, described(bytes), { now, seconds: 900 });
    // A regular expression parses the URL, because the URL class would resolve the dots.
    const [, host = '', path = ''] = /^http:\/\/([^/]+)(.*)$/.exec(url) ?? [];
    expect(path).toContain('/files/../../outside?');
    const status = await new Promise((resolve) => {
      const sent = { port: host.split(':')[1], path, method: 'PUT', headers: { ...headers, host } };
      httpRequest(sent, (response) => resolve(response.resume().statusCode)).end(bytes);
    });
    expect(status).toBe(200);
    expect(stored()).toHaveLength(2);
    expect(await findObject(climbing, timing())).toMatchObject(described(bytes));
    expect(existsSync(join(folder, '..', '..', 'outside'))).toBe(false);
  });

  test('a request that was signed more than 15 minutes ago is rejected', async () => {
    now = new Date(now.getTime() + 16 * 60_000);
    await expect(
      findObject(key, { now: new Date(now.getTime() - 16 * 60_000), deadline: Date.now() }),
    ).rejects.toThrow('403');
  });

  test('a header, an operation or a version that the local S3 does not implement is rejected', async () => {
    const client = clientOf();
    const object = { Bucket: 'files', Key: key };
    const requests = [
      client.send(new PutObjectCommand({ ...object, Body: bytes, ACL: 'public-read' })),
      client.send(new DeleteObjectCommand({ ...object, VersionId: 'another' })),
      client.send(new CreateMultipartUploadCommand(object)),
      client.send(new ListObjectsV2Command({ Bucket: 'files' })),
    ];
    const rejected = { name: 'NotImplemented', $metadata: { httpStatusCode: 501 } };
    await Promise.all(requests.map((request) => expect(request).rejects.toMatchObject(rejected)));
    expect(await findObject(key, timing())).toMatchObject(described(bytes));
    client.destroy();
  });
});
