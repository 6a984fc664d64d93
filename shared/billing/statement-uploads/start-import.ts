import {
  type FoundObject,
  findObject,
  type PresignedRequest,
  presignUpload,
} from '../../documents/bucket.ts';
import { requireDescribed } from '../../documents/check-upload.ts';
import { statementObject } from '../../documents/object-keys.ts';
import { uploadSeconds } from '../../documents/rules.ts';
import type { Actor } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintId } from '../../id/mint.ts';
import type { Static } from '../../schema.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { Write } from '../../table/operations.ts';
import { enqueueWrites } from '../../work-queue/enqueue.ts';
import type { JobContent } from '../../work-queue/jobs.ts';
import { jobsOf } from '../../work-queue/keys.ts';
import { findWorkItem } from '../../work-queue/list-work-items.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import type { BankAccountFields } from '../bank-accounts/schema.ts';
import { styleOf } from '../bank-statements/import-statement.ts';
import type { StatementFormat } from '../bank-statements/statement.ts';
import type { StatementUpload, StatementUploadInput } from './schema.ts';
import { keptFor, type StoredUpload, statementUploads } from './store.ts';

/** How many rows have each result. */
export interface ResultCounts {
  matched: number;
  duplicates: number;
  unmatched: number;
  failed: number;
}

/** The content of the job in its work queue. `next` is the place of the first row of the next step. */
export interface UploadContent extends JobContent, ResultCounts {
  job: 'import_bank_statement';
  id: number;
  actor: Actor;
  next: number;
  /** Set when the file is read. */
  file?: { format: StatementFormat; total: number; skipped: number; suggestion?: BankAccountFields };
  /** Why the import ends early. */
  error?: string;
}

/** Every file has this type, because its content shows its format. */
const contentType = 'application/octet-stream';

interface UploadRequest {
  account: AccountId;
  principal: { actor: Actor };
  now: Date;
}

/**
 * Returns a new upload, the signed request that uploads exactly the described file, and the writes. `known` is the stored
 * bank account that the request names.
 */
export async function beginStatementUpload(
  {
    account,
    principal,
    now,
    body: { fileName, size, sha256, bankAccount, ...style },
  }: UploadRequest & { body: Static<typeof StatementUploadInput> },
  known: BankAccountFields | undefined,
): Promise<{
  response: StatementUpload & { upload: PresignedRequest };
  writes: Write[];
}> {
  const stored: StoredUpload = {
    ...{ id: mintId(now), accountId: account, fileName, size, sha256: sha256.toLowerCase() },
    ...{ style: styleOf(style, known), isKnown: known !== undefined, ...(bankAccount && { bankAccount }) },
    ...{ createdAt: now.toISOString(), createdBy: principal.actor.user },
  };
  const upload = await presignUpload(
    statementObject(account, stored.id),
    { contentType, size, sha256: stored.sha256 },
    { now, seconds: uploadSeconds },
  );
  return { response: { ...showUpload(stored), upload }, writes: statementUploads.insert(stored) };
}

const itemIdOf = (id: number): string => `bankstatement-${id}`;

/** Returns an upload and its job, which is undefined before the upload is complete. Throws `not_found`. */
export async function readUpload(
  account: AccountId,
  id: number,
  now: Date,
): Promise<{ stored: StoredUpload; job: WorkItem<UploadContent> | undefined }> {
  const [stored, job] = await inParallel([
    statementUploads.get(account, id, now),
    findWorkItem<UploadContent>(jobsOf(account), itemIdOf(id), now),
  ]);
  return { stored, job };
}

/** Returns the properties of the uploaded file; undefined if it was not uploaded. */
export const findStatement = (
  account: AccountId,
  id: number,
  timing: { now: Date; deadline: number },
): Promise<FoundObject | undefined> => findObject(statementObject(account, id), timing);

/**
 * Returns the response and the writes of a request that completes an upload. If its job exists, nothing is written. Throws
 * `upload_missing` and `upload_unfit`.
 */
export function startImport(
  { account, principal: { actor }, now }: UploadRequest,
  { stored, job }: Awaited<ReturnType<typeof readUpload>>,
  file: FoundObject | undefined,
): { response: StatementUpload; writes: Write[] } {
  if (job) return { response: showUpload(stored, job), writes: [] };
  requireDescribed(stored, file);
  const { id } = stored;
  const counts = { matched: 0, duplicates: 0, unmatched: 0, failed: 0 };
  const content: UploadContent = { job: 'import_bank_statement', id, actor, next: 0, ...counts };
  const expires = new Date(Date.parse(stored.createdAt) + keptFor);
  return {
    response: showUpload(stored, { status: 'waiting', content }),
    writes: enqueueWrites(jobsOf(account), { id: itemIdOf(id), due: now, content, expires }, now),
  };
}

const statuses = {
  waiting: 'running',
  delivered: 'completed',
  // A job is cancelled only if its upload has expired.
  cancelled: 'failed',
  failed: 'failed',
} as const;

/** Returns an upload as responses show it. */
export function showUpload(
  { id, fileName, size, createdAt, createdBy }: StoredUpload,
  job?: Pick<WorkItem<UploadContent>, 'status' | 'content'>,
): StatementUpload {
  const { file, error, matched = 0, duplicates = 0, unmatched = 0, failed = 0 } = job?.content ?? {};
  return {
    ...{ id, fileName, size, status: job ? statuses[job.status] : 'awaiting_upload' },
    ...(error !== undefined && { error }),
    ...{ createdAt, createdBy },
    ...(file && { format: file.format, total: file.total }),
    ...{ matched, duplicates, unmatched, failed, skipped: file?.skipped ?? 0 },
    ...(file?.suggestion && { suggestion: file.suggestion }),
  };
}

/** The number of rows with a result. */
export const resultCount = ({ matched, duplicates, unmatched, failed }: ResultCounts): number =>
  matched + duplicates + unmatched + failed;
