import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
} from '@aws-sdk/client-s3';
import { bucketPrefixes } from '../documents/object-keys.ts';
import type { AccountId } from '../id/account-id.ts';
import { inBatches } from '../table/in-batches.ts';
import type { FilesBucket } from './files-bucket.ts';

interface Page {
  removals: (() => Promise<unknown>)[];
  next: object | undefined;
}

interface RemoveOptions {
  /** Only counts the objects. */
  count: boolean;
  /** In milliseconds since 1970. After this time, no further objects are removed. Default: no deadline. */
  deadline?: number;
  /** Receives the number of objects of each page. */
  advance?: (found: number) => void;
}

/**
 * Removes all object versions, delete markers and unfinished multipart uploads of an account, until the deadline. Returns
 * their number. `complete` is false if objects may remain.
 */
export async function removeObjects(
  bucket: FilesBucket,
  account: AccountId,
  { count, deadline = Number.POSITIVE_INFINITY, advance = () => {} }: RemoveOptions,
): Promise<{ found: number; complete: boolean }> {
  let found = 0;
  for (const prefix of bucketPrefixes)
    for (const list of [listVersions, listUploads])
      for (let after: object | undefined = {}; after; ) {
        if (Date.now() >= deadline) return { found, complete: false };
        const { removals, next }: Page = await list(bucket, `${prefix}/${account}/`, after);
        found += removals.length;
        if (!count) await inBatches(16, removals, (remove) => remove());
        advance(removals.length);
        after = next;
      }
  return { found, complete: true };
}

/** Removes all versions of raw mails. Raw mails are also deleted 30 days after their receipt. */
export async function removeRawMails(bucket: FilesBucket, keys: readonly string[]): Promise<void> {
  for (const key of keys)
    for (let after: object | undefined = {}; after; ) {
      const { removals, next }: Page = await listVersions(bucket, key, after, (found) => found === key);
      await inBatches(16, removals, (remove) => remove());
      after = next;
    }
}

async function listVersions(
  { s3, bucket: Bucket }: FilesBucket,
  Prefix: string,
  after: object,
  isRemoved: (key: string | undefined) => boolean = () => true,
): Promise<Page> {
  const page = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix, ...after }));
  const versions = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].filter(({ Key }) =>
    isRemoved(Key),
  );
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
