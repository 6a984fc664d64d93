import { deleteObject, readObject } from '../../documents/bucket.ts';
import { statementObject } from '../../documents/object-keys.ts';
import { toApiError } from '../../endpoints/response.ts';
import { commit } from '../../events/outbox.ts';
import { systemEvent } from '../../events/system-event.ts';
import type { AccountId } from '../../id/account-id.ts';
import { failureOf, logFailure } from '../../log.ts';
import { printable } from '../../printable.ts';
import type { Job } from '../../work-queue/jobs.ts';
import type { AttemptResult, AttemptRun } from '../../work-queue/work-handler.ts';
import {
  type Importer,
  importStatementRows,
  type PreparedStatement,
  prepareStatement,
  similarKey,
  suggestionOf,
} from '../bank-statements/import-statement.ts';
import { readBankFile } from '../bank-statements/read-bank-file.ts';
import type { ImportedTransaction } from '../bank-statements/schema.ts';
import { isUnreadRow, type ReadStatement, UnreadableStatement } from '../bank-statements/statement.ts';
import { decodeFile } from './decode-file.ts';
import { mostUploaded } from './schema.ts';
import type { ResultCounts, UploadContent } from './start-import.ts';
import { type StoredUpload, statementUploads, uploadedRows } from './store.ts';

/** The rows whose results are counted together. */
const chunkSize = 200;
/** A step starts no more rows after this many milliseconds, or this many milliseconds before its deadline. */
const stepTime = 10_000;
const margin = 5_000;
/** The wait in milliseconds before rows are tried again, and before a step for which another statement must wait. */
const retryDelay = 5_000;
const waitDelay = 10_000;
/** After this many steps that began at the same row, rows that cannot be recorded are reported as failed. */
const patience = 4;
/** After this many, the import ends. The process may have run out of memory or time each time. */
const mostTries = 8;
/** More lines than the transactions of a statement have. Many short lines take much more memory than their text. */
const mostLines = 500_000;
/** The most characters of an error. It may quote the file. */
const longestError = 300;

/**
 * Until this time, in milliseconds since 1970, this process imports a statement. A statement of 10 MB takes up to 300 MB of
 * memory, so a process imports one after the other.
 */
let busyUntil = 0;

type Result = AttemptResult<UploadContent>;

/**
 * Runs one step of an import. It reads the whole file again, because its texts are not stored elsewhere. Each payment is
 * recorded in a transaction with the result of its row, so that a repeated step neither records it again nor reports it as
 * a duplicate. The last step deletes the file.
 */
export const importUploadedStatement: Job<UploadContent> = async ({ content }, { account }, run) => {
  const upload = await statementUploads.find(account, content.id, run.now);
  if (!upload) return { status: 'cancelled' };
  if (content.error !== undefined || content.next === content.file?.total) return end(upload, content, run);
  if (run.now.getTime() < busyUntil) return { content, again: later(run, waitDelay) };
  busyUntil = run.now.getTime() + run.deadline - Date.now();
  try {
    return await importStep(upload, content, run);
  } finally {
    busyUntil = 0;
  }
};

const later = ({ now }: AttemptRun, milliseconds: number): Date => new Date(now.getTime() + milliseconds);

/** Deletes the file, then ends the job. Its content already has the result, so that a killed step is repeated. */
async function end(
  { accountId, id }: StoredUpload,
  content: UploadContent,
  { now, deadline }: AttemptRun,
): Promise<Result> {
  await deleteObject(statementObject(accountId, id), { now, deadline: deadline - margin });
  if (content.error === undefined) return { status: 'delivered' };
  return { status: 'failed', ownFault: true };
}

async function importStep(upload: StoredUpload, content: UploadContent, run: AttemptRun): Promise<Result> {
  const tries = await statementUploads.countTry(upload, content.next);
  const ended = (error: string): Result => ({ content: { ...content, error }, again: run.now });
  if (tries > mostTries) return ended('The statement could not be imported. Split the file.');
  const bytes = await readObject(statementObject(upload.accountId, upload.id), {
    now: run.now,
    deadline: run.deadline - margin,
  });
  if (!bytes) return ended('The file no longer exists, because the import did not end within a day.');
  let statement: ReadStatement;
  try {
    statement = readUploaded(bytes, upload);
  } catch (error) {
    if (error instanceof UnreadableStatement) return ended(messageOf(error));
    throw error;
  }
  return importChunks(upload, content, { run, statement, tries });
}

function readUploaded(bytes: Buffer, { style }: StoredUpload): ReadStatement {
  const text = decodeFile(bytes);
  if ((text.match(/\r\n?|\n/g) ?? []).length > mostLines)
    throw new UnreadableStatement(`must have at most ${mostLines} lines`);
  const statement = readBankFile(text, { currency: 'USD', ...style });
  const total = statement.parts.reduce((sum, { rows }) => sum + rows.length, 0);
  if (total > mostUploaded) throw new UnreadableStatement(`must have at most ${mostUploaded} transactions`);
  return statement;
}

function messageOf({ message }: UnreadableStatement): string {
  const text = printable(`The statement ${message}`);
  return text.length > longestError ? `${text.slice(0, longestError)}…` : `${text}.`;
}

interface Step {
  run: AttemptRun;
  statement: ReadStatement;
  tries: number;
}

/** Imports rows until the time limit of the step. */
async function importChunks(
  upload: StoredUpload,
  content: UploadContent,
  { run, statement: read, tries }: Step,
): Promise<Result> {
  const { format, skipped } = read;
  const statement = prepareStatement(read);
  const suggestion = upload.isKnown ? {} : { suggestion: suggestionOf(read, upload.bankAccount) };
  const total = statement.rows.length;
  const until = Math.min(Date.now() + stepTime, run.deadline - margin);
  const importer = importerOf(upload, content, run, until);
  const similar = await similarBefore(upload, statement, content.next);
  const done: UploadContent = { ...content, file: { format, total, skipped, ...suggestion } };
  while (done.next < total && Date.now() < until && !run.signal.aborted) {
    const [from, to] = [done.next, Math.min(done.next + chunkSize, total)];
    const chunk = { statement, from, to, similar, isLast: tries > patience && from === content.next };
    const results = await importChunk(importer, upload, chunk);
    if (!results) return { content: done, again: later(run, retryDelay) };
    add(done, results);
    done.next = to;
  }
  return { content: done, again: run.now };
}

function add(counts: ResultCounts, results: readonly ImportedTransaction[]): void {
  for (const { result } of results) counts[result === 'duplicate' ? 'duplicates' : result] += 1;
}

interface Chunk {
  statement: PreparedStatement;
  from: number;
  to: number;
  similar: Map<string, number>;
  /** True if rows that cannot be recorded are not tried again. */
  isLast: boolean;
}

/** Imports some rows and stores their results. Returns undefined if some of them must be tried again. */
async function importChunk(
  importer: Importer,
  upload: StoredUpload,
  { statement, from, to, similar, isLast }: Chunk,
): Promise<ImportedTransaction[] | undefined> {
  const stored = await uploadedRows.between(upload, from, to);
  for (const [place, result] of stored) countSimilarAt(similar, statement, place, result);
  const places = Array.from({ length: to - from }, (_, n) => from + n).filter((place) => !stored.has(place));
  const results = await importStatementRows(importer, { statement, places, similar });
  const added = new Map(places.flatMap((place, n) => (results[n] ? [[place, results[n]] as const] : [])));
  // A step of a worker that lost its lease may have recorded these payments meanwhile, with their results.
  if (results.some(({ result }) => result === 'duplicate'))
    for (const [place, result] of await uploadedRows.between(upload, from, to)) added.set(place, result);
  const failed = [...added].filter(([, { result }]) => result === 'failed').map(([place]) => place);
  if (!isLast) for (const place of failed) added.delete(place);
  await uploadedRows.putAll(upload, new Map([...added].filter(([, { result }]) => result !== 'matched')));
  return failed.length > 0 && !isLast ? undefined : [...new Map([...stored, ...added]).values()];
}

/** Adds the probable duplicates before a place, of which the statement has equal transactions after it. */
async function similarBefore(
  upload: StoredUpload,
  { rows }: PreparedStatement,
  next: number,
): Promise<Map<string, number>> {
  const similar = new Map<string, number>();
  const keyAt = (place: number): string | undefined => {
    const row = rows[place];
    return row && !isUnreadRow(row) && row.mentions.length > 0 ? similarKey(row) : undefined;
  };
  const keys = new Set<string | undefined>();
  for (let place = next; next > 0 && place < rows.length; place++) keys.add(keyAt(place));
  keys.delete(undefined);
  const places = [...rows.keys()].slice(0, next).filter((place) => keys.has(keyAt(place)));
  for (const [n, result] of (await uploadedRows.at(upload, places)).entries())
    if (result) countSimilarAt(similar, { rows }, places[n] ?? 0, result);
  return similar;
}

function countSimilarAt(
  similar: Map<string, number>,
  { rows }: Pick<PreparedStatement, 'rows'>,
  place: number,
  { reason }: ImportedTransaction,
): void {
  const row = rows[place];
  if (reason !== 'probable_duplicate' || !row || isUnreadRow(row)) return;
  const key = similarKey(row);
  similar.set(key, (similar.get(key) ?? 0) + 1);
}

/** The job in place of the request: it commits each payment in the name of the caller who uploaded the statement. */
function importerOf(
  upload: StoredUpload,
  { actor }: UploadContent,
  { now, deadline: last }: AttemptRun,
  until: number,
): Importer {
  const account: AccountId = upload.accountId;
  const deadline = Math.min(until + margin, last);
  return {
    ...{ account, now, principal: { actor }, deadline },
    resultWrites: (place, result) => uploadedRows.put(upload, place, result),
    commit: (writes, drafts, options) =>
      commit({
        ...{ deadline, ...options, writes },
        events: drafts.map((draft) =>
          systemEvent(draft, { account, now, schedule: 'import_bank_statement', actor }),
        ),
      }),
    errorOf(error) {
      if (toApiError(error).code === 'internal_error')
        logFailure({ failed: 'bank statement', account, failure: failureOf(error) });
      return 'busy';
    },
  };
}
