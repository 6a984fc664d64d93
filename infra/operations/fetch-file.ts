import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, NoSuchKey } from '@aws-sdk/client-s3';
import { documentObject, type ParentType } from '../../shared/documents/object-keys.ts';
import type { StoredDocument } from '../../shared/documents/schema.ts';
import { isTombstone, recordOf } from '../../shared/table/item.ts';
import { childKey, recordKey } from '../../shared/table/keys.ts';
import { getItem } from '../../shared/table/read.ts';
import type { ExportedRecord } from './exported-kinds.ts';
import type { FilesBucket } from './files-bucket.ts';

/**
 * Puts the file of an exported document into a folder, for its owner only and never over another, and returns the document with
 * the file's path within the folder; without one where it has no file yet, and undefined where it, or its record, was deleted
 * meanwhile. A file that is there already, of an export that broke off, is taken where it has the right bytes. Throws where the bucket
 * does not have the very bytes that the document tells of; none of them are left then.
 */
export async function fetchFile(
  { s3, bucket }: FilesBucket,
  folder: string,
  exported: ExportedRecord,
): Promise<ExportedRecord | undefined> {
  const { id, parent, record } = exported;
  const document = recordOf<StoredDocument>(record);
  const { accountId: account, parentId, sha256, uploadedDate } = document;
  if (uploadedDate === undefined || !parent) return exported;
  const kind = parent.kind as ParentType;
  const file = join(kind, String(parentId), String(id));
  const path = join(folder, file);
  if (existsSync(path)) {
    if ((await digestOf(createReadStream(path))) !== sha256)
      throw new Error(`The file ${path} is there already, and is not what its document says.`);
    return { ...exported, file };
  }
  const Key = documentObject({ account, parent: kind, parentId, documentId: Number(id) });
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
    if (!(Body instanceof Readable)) throw new Error('it has no bytes');
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await write(Body, path, sha256);
  } catch (error) {
    if (error instanceof NoSuchKey && (await isGone(kind, document))) return undefined;
    const { message, name } = error as Error;
    throw new Error(`The file ${Key} cannot be fetched: ${message || name}.`);
  }
  return { ...exported, file };
}

/** Writes a new file; where that breaks off, or the bytes are others, it is gone again. */
async function write(bytes: Readable, path: string, sha256: string): Promise<void> {
  const target = await open(path, 'wx', 0o600);
  try {
    await pipeline(bytes, target.createWriteStream());
    if ((await digestOf(createReadStream(path))) !== sha256)
      throw new Error('it is not what its document says');
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

async function digestOf(bytes: Readable): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(bytes, digest);
  return digest.digest('hex');
}

const nouns = { application: 'APPLICATION', merchant: 'MERCHANT', ticket: 'TICKET' } as const;

/** Whether a document, or the record that it hangs on, is gone by now: its file goes after them. */
async function isGone(
  kind: ParentType,
  { id, accountId: account, parentId }: StoredDocument,
): Promise<boolean> {
  const parent = nouns[kind];
  const [document, record] = await Promise.all([
    getItem(childKey({ account, parent, parentId, kind: 'DOCUMENT' }, id)),
    getItem(recordKey(account, parent, parentId)),
  ]);
  return !document || !record || isTombstone(record);
}
