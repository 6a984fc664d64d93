import { createHash, randomBytes } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { exportObject } from '../documents/object-keys.ts';
import { scanPage } from '../table/scan-pages.ts';
import { type ExportEnd, exportHeader, exportLine, recordsOfAccount } from './export-format.ts';
import type { FilesBucket } from './files-bucket.ts';
import { redactEncrypted } from './redact-encrypted.ts';
import type { Closing, ExportProgress } from './store.ts';

/** A part is stored when its lines have at least this many bytes, or at the deadline of a step. */
const partSize = 8 * 1024 * 1024;

interface Step {
  bucket: FilesBucket;
  now: Date;
  /** In milliseconds since 1970. After this time, the step reads no further page. */
  deadline: number;
}

/**
 * Makes the next step of the export of a closed account, and returns the new progress. A step reads pages of the table
 * and stores their records as a part, or stores the last line. Object names are random, so two concurrent steps never
 * write the same object. The object of a step whose progress was not stored is deleted by the bucket's lifecycle rule.
 */
export async function advanceExport(closing: Closing, step: Step): Promise<ExportProgress> {
  const { export: progress } = closing;
  return progress.allRead ? completed(closing, step) : withNextPart(closing, step);
}

async function withNextPart({ account, export: progress }: Closing, step: Step): Promise<ExportProgress> {
  const isFirst = progress.parts.length === 0 && progress.after === undefined;
  const lines = isFirst ? [exportLine(exportHeader(account, step.now, false))] : [];
  let size = 0;
  let { after } = progress;
  const counts = { ...progress.counts };
  do {
    const { items, next } = await scanPage(after);
    for (const record of await redactEncrypted(recordsOfAccount(account, items, step.now))) {
      const line = exportLine(record);
      lines.push(line);
      size += Buffer.byteLength(line);
      counts[record.kind] = (counts[record.kind] ?? 0) + 1;
    }
    after = next;
  } while (after && size < partSize && Date.now() < step.deadline);
  const parts =
    lines.length === 0 ? progress.parts : [...progress.parts, await storePart(account, lines, step)];
  return { parts, counts, ...(after ? { after } : { allRead: true }) };
}

/** Reads all parts to compute the digest, and stores the last line as the last part. */
async function completed({ account, export: progress }: Closing, step: Step): Promise<ExportProgress> {
  const digest = createHash('sha256');
  for (const { key } of progress.parts) digest.update(await readObject(step.bucket, key));
  const sha256 = digest.digest('hex');
  const end: ExportEnd = { kind: 'end', counts: progress.counts, sha256 };
  const part = await storePart(account, [`${JSON.stringify(end)}\n`], step);
  return { ...progress, parts: [...progress.parts, part], sha256 };
}

async function storePart(
  account: Closing['account'],
  lines: readonly string[],
  { bucket: { s3, bucket } }: Step,
) {
  const key = exportObject(account, `${randomBytes(12).toString('base64url')}.jsonl`);
  const body = Buffer.from(lines.join(''));
  await s3.send(
    new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType: 'application/x-ndjson' }),
  );
  return { key, size: body.length };
}

async function readObject({ s3, bucket }: FilesBucket, key: string): Promise<Uint8Array> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!Body) throw new Error(`The part ${key} of an export is empty.`);
  return Body.transformToByteArray();
}
