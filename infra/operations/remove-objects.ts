import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
} from '@aws-sdk/client-s3';
import { bucketPrefixes } from '../../shared/documents/object-keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { withProgressBar } from '../administration/progress-bar.ts';
import type { FilesBucket } from './files-bucket.ts';
import { inBatches } from './in-batches.ts';

interface Page {
  removals: (() => Promise<unknown>)[];
  next: object | undefined;
}

/**
 * Removes all object versions, delete markers and unfinished multipart uploads of an account. If `count` is true, only
 * counts them.
 */
export const removeObjects = (
  bucket: FilesBucket,
  account: AccountId,
  { count }: { count: boolean },
): Promise<number> =>
  withProgressBar('Files', async (advance) => {
    let found = 0;
    for (const prefix of bucketPrefixes)
      for (const list of [listVersions, listUploads])
        for (let after: object | undefined = {}; after; ) {
          const { removals, next }: Page = await list(bucket, `${prefix}/${account}/`, after);
          found += removals.length;
          if (!count) await inBatches(16, removals, (remove) => remove());
          advance(removals.length);
          after = next;
        }
    return found;
  });

async function listVersions(
  { s3, bucket: Bucket }: FilesBucket,
  Prefix: string,
  after: object,
): Promise<Page> {
  const page = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix, ...after }));
  const versions = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])];
  const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
  return {
    removals: versions.map(
      ({ Key, VersionId }) =>
        () =>
          s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId })),
    ),
    next: page.IsTruncated ? { KeyMarker, VersionIdMarker } : undefined,
  };
}

async function listUploads(
  { s3, bucket: Bucket }: FilesBucket,
  Prefix: string,
  after: object,
): Promise<Page> {
  const page = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...after }));
  const { Uploads = [], NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
  return {
    removals: Uploads.map(
      ({ Key, UploadId }) =>
        () =>
          s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })),
    ),
    next: page.IsTruncated ? { KeyMarker, UploadIdMarker } : undefined,
  };
}
