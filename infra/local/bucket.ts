import { CannotStart, isUnreachable } from './cannot-start.ts';
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
  await requireBucket(s3Endpoint, bucketName);
  return { endpoint: s3Endpoint, stop: async () => {} };
}

async function requireBucket(endpoint: string, Bucket: string): Promise<void> {
  // Loaded here only: the embedded S3 does not need the client.
  const { CreateBucketCommand, HeadBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ endpoint, forcePathStyle: true });
  try {
    await client
      .send(new HeadBucketCommand({ Bucket }))
      .catch(() => client.send(new CreateBucketCommand({ Bucket })));
  } catch (error) {
    throw new CannotStart(
      isUnreachable(error)
        ? `No S3 answers at ${endpoint}.`
        : `The S3 at ${endpoint} has no bucket ${Bucket} and makes none: ${(error as Error).message}.`,
    );
  } finally {
    client.destroy();
  }
}
