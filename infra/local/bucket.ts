import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { CannotStart } from './cannot-start.ts';
import type { LoopbackServer } from './loopback-server.ts';
import { startS3 } from './s3.ts';
import type { Settings } from './settings.ts';

/**
 * The bucket of files: in an S3 elsewhere, where it is made if it is not there, or in one of our own, whose objects are
 * files in `folder`. Needs the credentials in the environment. Throws CannotStart where an S3 elsewhere does not take
 * the bucket.
 */
export async function startBucket(settings: Settings, folder: string): Promise<LoopbackServer> {
  const { s3Endpoint, bucketName, region, corsOrigins } = settings;
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = process.env;
  if (s3Endpoint === undefined)
    return startS3({ folder, bucket: bucketName, region, accessKeyId, secretAccessKey, corsOrigins });
  await requireBucket(new URL(s3Endpoint), bucketName, region);
  return { endpoint: s3Endpoint, stop: async () => {} };
}

async function requireBucket(endpoint: URL, bucket: string, region: string): Promise<void> {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = process.env;
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN,
    },
    sha256: Hash.bind(null, 'sha256'),
    uriEscapePath: false,
  });
  const send = async (method: string) => {
    const path = `${endpoint.pathname.replace(/\/$/, '')}/${bucket}`;
    const { hostname, host } = endpoint;
    const { headers } = await signer.sign(new HttpRequest({ method, hostname, path, headers: { host } }));
    return fetch(new URL(path, endpoint), { method, headers }).catch(() => {
      throw new CannotStart(`No S3 answers at ${endpoint.href}.`);
    });
  };
  if ((await send('HEAD')).ok) return;
  const made = await send('PUT');
  if (!made.ok)
    throw new CannotStart(
      `The S3 at ${endpoint.href} has no bucket ${bucket} and makes none: it answers with ${made.status}.`,
    );
}
