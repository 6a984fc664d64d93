import type { AccessKey } from '../administration/addresses.ts';
import { CannotStart, isUnreachable } from '../administration/cannot-start.ts';
import type { LoopbackServer } from '../administration/loopback-server.ts';
import { startS3 } from './s3.ts';
import type { Settings } from './settings.ts';

/**
 * Starts the embedded S3, which stores objects as files in `folder`. If the settings contain the endpoint of an
 * S3-compatible server, uses this server and creates the bucket if necessary. Throws CannotStart.
 */
export async function startBucket(
  settings: Settings,
  folder: string,
  key: AccessKey,
): Promise<LoopbackServer> {
  const { s3Endpoint, bucketName, region, corsOrigins } = settings;
  if (s3Endpoint === undefined) return startS3({ folder, bucket: bucketName, region, ...key, corsOrigins });
  await requireBucket(s3Endpoint, bucketName);
  return { endpoint: s3Endpoint, stop: async () => {} };
}

async function requireBucket(endpoint: string, Bucket: string): Promise<void> {
  // Imports this client only when it is needed. The embedded S3 does not need it.
  const { CreateBucketCommand, HeadBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ endpoint, forcePathStyle: true });
  try {
    await client
      .send(new HeadBucketCommand({ Bucket }))
      .catch(() => client.send(new CreateBucketCommand({ Bucket })));
  } catch (error) {
    throw new CannotStart(
      isUnreachable(error)
        ? `Cannot connect to S3 at ${endpoint}.`
        : `The bucket ${Bucket} cannot be created at ${endpoint}: ${(error as Error).message}.`,
    );
  } finally {
    client.destroy();
  }
}
