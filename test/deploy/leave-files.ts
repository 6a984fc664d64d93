import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { bucketOf, stageNamed } from '../../infra/stages.ts';
import { accountId, credentials, type Emulator, region } from './emulator.ts';

/**
 * Adds to an account's files an object with two versions, a deleted object and an unfinished multipart upload. Returns a
 * function that lists all of the account's versions, delete markers and uploads.
 */
export async function leaveFiles({ endpoint }: Emulator, account: string): Promise<() => Promise<unknown[]>> {
  const s3 = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  const Bucket = bucketOf(stageNamed('local'), accountId, region);
  const Key = `documents/${account}/ticket/7/8`;
  for (const Body of ['one', 'two']) await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  const gone = { Bucket, Key: `incoming/${account}/ticket/7/9` };
  await s3.send(new PutObjectCommand({ ...gone, Body: 'three' }));
  await s3.send(new DeleteObjectCommand(gone));
  await s3.send(new CreateMultipartUploadCommand(gone));
  const found = async (): Promise<unknown[]> => {
    const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
    const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
    return [...Versions, ...DeleteMarkers, ...Uploads].filter((one) => one.Key?.includes(`/${account}/`));
  };
  // Two versions, a deleted version with its delete marker, and an upload.
  if ((await found()).length !== 5) throw new Error('The bucket does not keep versions and uploads.');
  return found;
}
