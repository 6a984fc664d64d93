import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { documentObject, type ParentType } from '../../shared/documents/object-keys.ts';
import type { StoredDocument } from '../../shared/documents/schema.ts';
import { recordOf } from '../../shared/table/item.ts';
import type { ExportedRecord } from './exported-kinds.ts';
import type { FilesBucket } from './files-bucket.ts';

/**
 * Puts the file of an exported document into a folder, for its owner only and never over another, and returns its path within
 * the folder; undefined of a document that has no file yet. Throws where the bucket does not have the very bytes that the document
 * tells of.
 */
export async function fetchFile(
  { s3, bucket }: FilesBucket,
  folder: string,
  { id, parent, record }: ExportedRecord,
): Promise<string | undefined> {
  const { accountId: account, parentId, sha256, uploadedDate } = recordOf<StoredDocument>(record);
  if (uploadedDate === undefined || !parent) return undefined;
  const Key = documentObject({
    account,
    parent: parent.kind as ParentType,
    parentId,
    documentId: Number(id),
  });
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key })).catch((error: Error) => {
    throw new Error(`The file ${Key} cannot be fetched: ${error.message || error.name}.`);
  });
  if (!(Body instanceof Readable)) throw new Error(`The file ${Key} has no bytes.`);
  const path = join(parent.kind, String(parentId), String(id));
  mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
  const digest = createHash('sha256');
  await pipeline(
    Body,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        digest.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(join(folder, path), { flags: 'wx', mode: 0o600 }),
  );
  if (digest.digest('hex') !== sha256) throw new Error(`The file ${Key} is not what its document says.`);
  return path;
}
