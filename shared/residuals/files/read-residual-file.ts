import { deleteObject, readObject } from '../../documents/bucket.ts';
import { residualObject } from '../../documents/object-keys.ts';
import { commit } from '../../events/outbox.ts';
import { systemEvent } from '../../events/system-event.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { AccountId } from '../../id/account-id.ts';
import { printable } from '../../printable.ts';
import { mids } from '../../sales/mids/store.ts';
import type { Item } from '../../table/item.ts';
import { authoredBy, type Revision, revise } from '../../table/revise.ts';
import { VersionConflict } from '../../table/transact.ts';
import type { Job } from '../../work-queue/jobs.ts';
import type { AttemptResult, AttemptRun } from '../../work-queue/work-handler.ts';
import { AmountTooLarge } from '../amounts/micros.ts';
import { UnreadableFile } from './file-cell.ts';
import { openFile } from './open-file.ts';
import { readFileRows } from './read-rows.ts';
import { ReadingResult } from './reading-result.ts';
import type { ResidualRow } from './residual-row.ts';
import { rowsPerChunk } from './row-chunks.ts';
import { mostShown } from './schema.ts';
import { isSame, type ReadingContent } from './start-reading.ts';
import { type LatestFile, residualFiles, residualRows, type StoredResidualFile } from './store.ts';
import { suggestFormat } from './suggest-format.ts';

/** The chunks that are written together. */
const chunksAtOnce = 8;
/** A step ends after this many milliseconds, or this many milliseconds before its deadline. */
const stepTime = 10_000;
const margin = 5_000;
/** The wait in milliseconds before a step for which another file must wait, and after a conflict. */
const waitDelay = 5_000;
/** After this many steps that began at the same row, the reading ends. The process may have run out of memory. */
const mostTries = 8;
/** The MIDs whose merchants are looked up together. */
const midsAtOnce = 1_000;
/** The most characters of an error. It may quote the file. */
const longestError = 500;
/** The currency of residuals. */
const currency = 'USD';

/**
 * Until this time, in milliseconds since 1970, this process reads a file. Because a file takes much memory, a process reads
 * one after the other.
 */
let busyUntil = 0;

type Result = AttemptResult<ReadingContent>;

const later = ({ now }: AttemptRun, milliseconds: number): Date => new Date(now.getTime() + milliseconds);

/**
 * Runs one step of reading a file. Each step reads the file from its start, because its content is not stored elsewhere, and
 * stores the rows after those that are stored. The same rows always have the same keys, so that a repeated step writes the
 * same items. The last step stores the sums with the event, and then deletes the uploaded file.
 */
export const readResidualFile: Job<ReadingContent> = async ({ content }, { account }, run) => {
  const file = await residualFiles.find(account, content.id);
  if (file?.readings !== content.reading) return { status: 'cancelled' };
  if (file.state !== 'reading') {
    if (file.state === 'read') await deleteObject(residualObject(account, file.id), timingOf(run));
    return { status: 'delivered' };
  }
  if (run.now.getTime() < busyUntil) return { content, again: later(run, waitDelay) };
  busyUntil = run.now.getTime() + run.deadline - Date.now();
  try {
    return await readStep(file, content, run);
  } catch (error) {
    if (error instanceof VersionConflict) return { content, again: later(run, waitDelay) };
    throw error;
  } finally {
    busyUntil = 0;
  }
};

const timingOf = ({ now, deadline }: AttemptRun) => ({ now, deadline: deadline - margin });

async function readStep(file: StoredResidualFile, content: ReadingContent, run: AttemptRun): Promise<Result> {
  const tries = await residualRows.countTry(file, content.next);
  const failed = (error: string) => change(file, content, run, { state: 'failed', error: printable(error) });
  if (tries > mostTries) return failed('The file could not be read. Split it into smaller files.');
  const bytes = await readObject(residualObject(file.accountId, file.id), timingOf(run));
  if (!bytes) return failed('The file no longer exists. Upload it again.');
  try {
    if (file.reading) return await storeRows(file, content, run, bytes);
    const suggestion = await suggestFormat(await openFile(bytes), { processor: file.processor, currency });
    return await change(file, content, run, { state: 'waiting', suggestion });
  } catch (error) {
    if (error instanceof UnreadableFile) return failed(error.message.slice(0, longestError));
    if (error instanceof AmountTooLarge) return failed('The sum of the amounts of the file is too large.');
    throw error;
  }
}

/** Stores a change of the file. The next step ends the job. */
async function change(
  file: StoredResidualFile,
  content: ReadingContent,
  run: AttemptRun,
  revision: Revision<StoredResidualFile>,
  latest?: { before: LatestFile | undefined; after: LatestFile },
): Promise<Result> {
  const { actor } = content;
  const after = revise(file, revision, authoredBy(actor.user, run.now));
  const account: AccountId = file.accountId;
  const { processor, month, fileName, sha256, rows = 0, total = 0, fileVersion = 0 } = after;
  const detail = { ...{ processor, month, fileName, fileVersion, rows, total }, sha256 };
  await commit({
    writes: [
      ...residualFiles.replace(file, after),
      ...(latest ? residualFiles.replaceLatest(account, latest.before, latest.after) : []),
    ],
    events: latest
      ? unnamedChange(account, 'residual_file_imported', file, detail).map((draft) =>
          systemEvent(draft, { account, now: run.now, schedule: 'read_residual_file', actor }),
        )
      : [],
    deadline: run.deadline - margin,
  });
  return { content, again: run.now };
}

/** Reads rows and stores them until the time of the step ends. */
async function storeRows(
  file: StoredResidualFile,
  content: ReadingContent,
  run: AttemptRun,
  bytes: Buffer,
): Promise<Result> {
  const { reading, month } = file;
  if (!reading) throw new Error(`The file ${file.id} has no format.`);
  const until = Math.min(Date.now() + stepTime, run.deadline - margin);
  const result = new ReadingResult();
  const done = { ...content };
  let chunks: Item[] = [];
  const put = async (last: number): Promise<void> => {
    await residualRows.put(chunks);
    chunks = [];
    Object.assign(done, { next: last + 1, rows: result.rows });
  };
  const rows = readFileRows(await openFile(bytes), { reading, month, currency, result });
  for await (const chunk of inChunks(rows, rowsPerChunk(reading.columns.fees?.length ?? 0))) {
    const last = chunk.at(-1)?.place ?? 0;
    if (last < content.next) continue;
    chunks.push(residualRows.chunk(file, chunk));
    if (chunks.length < chunksAtOnce) continue;
    await put(last);
    if (Date.now() >= until || run.signal.aborted) return { content: done, again: run.now };
  }
  if (chunks.length > 0) await put(Number(chunks.at(-1)?.last));
  return finish(file, done, run, result);
}

/** Groups rows again. The last group can be smaller. */
async function* inChunks(
  groups: AsyncIterable<readonly ResidualRow[]>,
  size: number,
): AsyncGenerator<ResidualRow[]> {
  let chunk: ResidualRow[] = [];
  for await (const rows of groups)
    for (const row of rows) {
      chunk.push(row);
      if (chunk.length < size) continue;
      yield chunk;
      chunk = [];
    }
  if (chunk.length > 0) yield chunk;
}

async function finish(
  file: StoredResidualFile,
  content: ReadingContent,
  run: AttemptRun,
  result: ReadingResult,
): Promise<Result> {
  if (result.rows === 0 && result.rejectedRows === 0)
    throw new UnreadableFile('The file must have rows with MIDs below its heading.');
  const { accountId: account, formatId = 0, formatVersion = 0, processor, month, sha256 } = file;
  const before = await residualFiles.findLatest(account, file);
  if (before && isSame(before, sha256, { id: formatId, version: formatVersion }))
    throw new UnreadableFile(`The same file was already read as version ${before.fileVersion}.`);
  const fileVersion = (before?.fileVersion ?? 0) + 1;
  const shown = (all: readonly string[]) => ({ count: all.length, mids: all.slice(0, mostShown) });
  const { rows, rejectedRows, total, problemCount, problems, totals, repeatedMids } = result;
  return change(
    file,
    content,
    run,
    {
      ...{ state: 'read', fileVersion, rows, rejectedRows, total, problemCount, problems, ...totals },
      unknownMids: shown(await unknownMids(account, [...result.mids.keys()])),
      repeatedMids: shown(repeatedMids),
    },
    {
      before,
      after: { month, processor, fileId: file.id, fileVersion, sha256, formatId, formatVersion },
    },
  );
}

/** Returns the MIDs that no merchant of the account has. */
async function unknownMids(account: AccountId, all: readonly string[]): Promise<string[]> {
  const unknown: string[] = [];
  for (let from = 0; from < all.length; from += midsAtOnce) {
    const some = all.slice(from, from + midsAtOnce);
    const known = new Set([...(await mids.ownersOf(account, some)).values()].flat());
    unknown.push(...some.filter((mid) => !known.has(mid.toUpperCase())));
  }
  return unknown;
}
