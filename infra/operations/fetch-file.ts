import { createHash } from 'node:crypto';
import { createReadStream, existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, NoSuchKey } from '@aws-sdk/client-s3';
import type { ExportedRecord } from '../../shared/closing/exported-kinds.ts';
import type { FilesBucket } from '../../shared/closing/files-bucket.ts';
import { documentObject, type ParentType } from '../../shared/documents/object-keys.ts';
import type { StoredDocument } from '../../shared/documents/schema.ts';
import { isTombstone, recordOf } from '../../shared/table/item.ts';
import { childKey, recordKey } from '../../shared/table/keys.ts';
import { getItem } from '../../shared/table/read.ts';

/**
 * Downloads the file of an exported document into a folder, readable only by the owner. Returns the document with the
 * file's path, or the unchanged document if no file was uploaded yet. Returns undefined if the document or its record
 * was deleted. Reuses an existing file with the right hash. Throws and leaves no file if the downloaded bytes have
 * another hash.
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
  const path = pathWithin(folder, file);
  if (existsSync(path)) {
    if ((await digestOf(createReadStream(path))) !== sha256)
      throw new Error(`The file ${path} exists but differs from the document. Remove the file.`);
    return { ...exported, file };
  }
  const Key = documentObject({ account, parent: kind, parentId, documentId: Number(id) });
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
    if (!(Body instanceof Readable)) throw new Error('it is empty');
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await write(Body, path, sha256);
  } catch (error) {
    if (error instanceof NoSuchKey && (await isGone(kind, document))) return undefined;
    const { message, name } = error as Error;
    throw new Error(`Cannot download the file ${Key}: ${message || name}.`);
  }
  return { ...exported, file };
}

/** Throws if the folder does not contain the exported file of a document, or if the file has another hash. */
export async function verifyFile(folder: string, { file = '', record }: ExportedRecord): Promise<void> {
  const path = pathWithin(folder, file);
  if (!existsSync(path)) throw new Error(`The file ${path} is missing.`);
  const { sha256 } = recordOf<StoredDocument>(record);
  if ((await digestOf(createReadStream(path))) !== sha256)
    throw new Error(`The file ${path} differs from the document.`);
}

/**
 * Returns the path of a file that an export names. Throws if the path is outside of the folder, or leads through a link:
 * the export or the folder may have been changed.
 */
function pathWithin(folder: string, file: string): string {
  const path = join(folder, file);
  const parts = normalize(file).split(sep);
  if (isAbsolute(file) || file === '' || parts.includes('..'))
    throw new Error(`The export names the file ${file}, which is outside of the folder ${folder}.`);
  const links = parts.map((_, n) => join(folder, ...parts.slice(0, n + 1)));
  const link = links.find((one) => lstatSync(one, { throwIfNoEntry: false })?.isSymbolicLink());
  if (link !== undefined) throw new Error(`${link} is a link. The files of an export contain no links.`);
  return path;
}

/** Writes a new file. Removes the file if writing fails or the hash is wrong. */
async function write(bytes: Readable, path: string, sha256: string): Promise<void> {
  const target = await open(path, 'wx', 0o600);
  try {
    await pipeline(bytes, target.createWriteStream());
    if ((await digestOf(createReadStream(path))) !== sha256)
      throw new Error("its hash differs from the document's hash");
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

/** Reports whether a document or its record was deleted. The file in the bucket is deleted later. */
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
