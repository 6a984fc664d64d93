import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
} from '@aws-sdk/client-s3';
import { bucketPrefixes } from '../../shared/documents/object-keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { FilesBucket } from './files-bucket.ts';
import { inBatches } from './in-batches.ts';
import { progressBar } from './progress-bar.ts';

type Removal = () => Promise<unknown>;

/** Removes, or only counts, all object versions, delete markers and unfinished multipart uploads of an account. */
export async function removeObjects(
  bucket: FilesBucket,
  account: AccountId,
  { count }: { count: boolean },
): Promise<number> {
  const bar = progressBar('Files');
  let found = 0;
  for (const prefix of bucketPrefixes)
    for (const pages of [versionsBelow, uploadsBelow])
      for await (const removals of pages(bucket, `${prefix}/${account}/`)) {
        found += removals.length;
        if (!count) await inBatches(16, removals, (remove) => remove());
        bar.advance(removals.length);
      }
  bar.end();
  return found;
}

async function* versionsBelow(
  { s3, bucket: Bucket }: FilesBucket,
  Prefix: string,
): AsyncGenerator<Removal[]> {
  let after: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {};
  while (after) {
    const page: ListObjectVersionsCommandOutput = await s3.send(
      new ListObjectVersionsCommand({ Bucket, Prefix, ...after }),
    );
    yield [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].map(
      ({ Key, VersionId }) =>
        () =>
          s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId })),
    );
    after = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
      : undefined;
  }
}

async function* uploadsBelow({ s3, bucket: Bucket }: FilesBucket, Prefix: string): AsyncGenerator<Removal[]> {
  let after: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (after) {
    const page: ListMultipartUploadsCommandOutput = await s3.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix, ...after }),
    );
    yield (page.Uploads ?? []).map(
      ({ Key, UploadId }) =>
        () =>
          s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })),
    );
    after = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : undefined;
  }
}
