import {
  type FoundObject,
  findObject,
  type PresignedRequest,
  presignUpload,
} from '../../documents/bucket.ts';
import { requireDescribed } from '../../documents/check-upload.ts';
import { residualObject } from '../../documents/object-keys.ts';
import { uploadSeconds } from '../../documents/rules.ts';
import type { Actor, EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { AccountId } from '../../id/account-id.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { Write } from '../../table/operations.ts';
import { newRecord } from '../../table/record-fields.ts';
import { revise } from '../../table/revise.ts';
import { enqueueWrites } from '../../work-queue/enqueue.ts';
import type { JobContent } from '../../work-queue/jobs.ts';
import { residualJobsOf } from '../../work-queue/keys.ts';
import { findWorkItem } from '../../work-queue/list-work-items.ts';
import type { ResidualFormat } from '../formats/schema.ts';
import { readingOf, residualFormats } from '../formats/store.ts';
import type { ResidualFile, ResidualFileInput } from './schema.ts';
import { type LatestFile, residualFiles, type StoredResidualFile } from './store.ts';

/** The content of the job in its work queue. The rows before the place `next` are stored. */
export interface ReadingContent extends JobContent {
  job: 'read_residual_file';
  id: number;
  /** The reading of the file to which the job belongs. */
  reading: number;
  actor: Actor;
  next: number;
  /** The number of rows that are stored. */
  rows: number;
}

/** Every file has this type, because its content shows its format. */
const contentType = 'application/octet-stream';
/** A work item is kept for 30 days, in milliseconds. */
const keptFor = 30 * 86_400_000;

interface FileRequest {
  account: AccountId;
  principal: { actor: Actor };
  now: Date;
}

/** What `beginResidualUpload` needs: the named format, or the newest one of the processor, and the latest file. */
export const readBeforeUpload = async (
  account: AccountId,
  { processor, month, formatId }: ResidualFileInput,
): Promise<{ format: ResidualFormat | undefined; latest: StoredResidualFile | undefined }> => {
  const [format, latest] = await inParallel([
    readFormat(account, processor, formatId),
    residualFiles.findLatest(account, { month, processor }),
  ]);
  return { format, latest: latest && (await residualFiles.find(account, latest.fileId)) };
};

const readFormat = (
  account: AccountId,
  processor: string,
  formatId: number | undefined,
): Promise<ResidualFormat | undefined> =>
  formatId === undefined
    ? residualFormats.findFor(account, processor)
    : residualFormats.get(account, formatId);

/**
 * Returns a new file, the signed request that uploads exactly the described bytes, the writes, and the event. If the latest
 * file of the processor and month has the same content and format, returns that file, and changes nothing.
 */
export async function beginResidualUpload(
  request: FileRequest & { body: ResidualFileInput },
  { format, latest }: Awaited<ReturnType<typeof readBeforeUpload>>,
): Promise<{
  response: ResidualFile & { upload?: PresignedRequest };
  writes: Write[];
  events: EventDraft[];
}> {
  const { account, now, body } = request;
  const sha256 = body.sha256.toLowerCase();
  if (latest && isSame(latest, sha256, format))
    return { response: residualFiles.show(latest), writes: [], events: [] };
  const file: StoredResidualFile = {
    ...{ ...body, sha256, ...newRecord(request) },
    ...{ state: 'waiting', readings: 0 },
  };
  const upload = await presignUpload(
    residualObject(account, file.id),
    { contentType, size: file.size, sha256 },
    { now, seconds: uploadSeconds },
  );
  const { processor, month, fileName } = file;
  return {
    response: { ...residualFiles.show(file), upload },
    writes: residualFiles.insert(file),
    events: unnamedChange(account, 'residual_file_created', file, { processor, month, fileName, sha256 }),
  };
}

/** Reports whether a file was read from the same content with the same version of the format. */
export const isSame = (
  { sha256, formatId, formatVersion }: Pick<LatestFile, 'sha256'> & Partial<LatestFile>,
  content: string,
  format: Pick<ResidualFormat, 'id' | 'version'> | undefined,
): boolean => sha256 === content && formatId === format?.id && formatVersion === format?.version;

/** What `startReading` needs. Throws `not_found` if the file or the named format does not exist. */
export async function readBeforeReading(
  account: AccountId,
  id: number,
  formatId: number | undefined,
  timing: { now: Date; deadline: number },
): Promise<{
  file: StoredResidualFile;
  format: ResidualFormat | undefined;
  object: FoundObject | undefined;
}> {
  const [file, object] = await inParallel([
    residualFiles.get(account, id),
    findObject(residualObject(account, id), timing),
  ]);
  return { file, object, format: await readFormat(account, file.processor, formatId ?? file.formatId) };
}

/**
 * Returns the response and the writes of a request to read an uploaded file. A file that is read, or is being read, does not
 * change. Throws `upload_missing` and `upload_unfit`.
 */
export function startReading(
  request: FileRequest,
  { file: before, format, object }: Awaited<ReturnType<typeof readBeforeReading>>,
): { response: ResidualFile; writes: Write[] } {
  if (before.state === 'reading' || before.state === 'read')
    return { response: residualFiles.show(before), writes: [] };
  requireDescribed(before, object);
  const { account, now, principal } = request;
  const reading = before.readings + 1;
  const after = revise(
    before,
    {
      ...{ state: 'reading', readings: reading, error: null, suggestion: null },
      reading: format ? readingOf(format) : null,
      formatId: format?.id ?? null,
      formatVersion: format?.version ?? null,
    },
    request,
  );
  const content: ReadingContent = {
    ...{ job: 'read_residual_file', id: before.id, reading, actor: principal.actor },
    ...{ next: 0, rows: 0 },
  };
  const expires = new Date(now.getTime() + keptFor);
  const item = { id: itemIdOf(after), due: now, content, expires };
  return {
    response: residualFiles.show(after),
    writes: [...residualFiles.replace(before, after), ...enqueueWrites(residualJobsOf(account), item, now)],
  };
}

const itemIdOf = ({ id, readings }: Pick<StoredResidualFile, 'id' | 'readings'>): string =>
  `residualfile-${id}-${readings}`;

/** Reads a file with the number of its rows that are stored so far. Throws `not_found`. */
export async function readProgress(account: AccountId, id: number, now: Date): Promise<ResidualFile> {
  const file = await residualFiles.get(account, id);
  if (file.state !== 'reading') return residualFiles.show(file);
  const job = await findWorkItem<ReadingContent>(residualJobsOf(account), itemIdOf(file), now);
  return { ...residualFiles.show(file), rows: job?.content.rows ?? 0 };
}
