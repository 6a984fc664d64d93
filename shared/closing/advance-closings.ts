import { accountKey, closingNoun } from '../accounts/keys.ts';
import { emitMetric } from '../events/emit-metric.ts';
import type { AccountId } from '../id/account-id.ts';
import { sweepDue } from '../table/due.ts';
import { type Due, dueShards } from '../table/due-keys.ts';
import { deleteItem } from '../table/operations.ts';
import { transact, VersionConflict } from '../table/transact.ts';
import type { Run } from '../work-queue/work-handler.ts';
import { advanceErasure, beginErasure } from './advance-erasure.ts';
import { advanceExport } from './advance-export.ts';
import { type FilesBucket, openFilesBucket } from './files-bucket.ts';
import { closings, type StoredClosing } from './store.ts';

/** The metric for the delay of the most overdue closing that was not reached or failed, in seconds. */
export const closingLag = 'ClosingLag';

const pageSize = 25;
/** A step reads and removes for at most this many milliseconds, then stores its progress. */
const longestStep = 15_000;
/** The time between the deadline of a step and the deadline of its writes, in milliseconds. */
const writeTime = 10_000;

interface Worker {
  bucket: FilesBucket;
  clock: () => Date;
  /** In milliseconds since 1970. No step begins after this time. */
  deadline: number;
}

/**
 * Makes the due steps of all closed accounts, until the deadline: writes their exports, and erases the accounts that can
 * no longer be reopened. Each step stores its progress, so that the next run continues. If an account fails, logs the
 * error and continues with the next account.
 */
export async function advanceClosings(run: Run): Promise<void> {
  const { now } = run;
  const startedAt = Date.now();
  const worker: Worker = {
    bucket: openFilesBucket(),
    clock: () => new Date(now.getTime() + Date.now() - startedAt),
    deadline: run.deadline - writeTime,
  };
  const { deadline } = worker;
  const lags: number[] = [];
  const late = ({ at }: Due) => void lags.push((now.getTime() - Date.parse(at)) / 1000);
  for (let shard = 0; shard < dueShards; shard++) {
    const unreached = await sweepDue(
      { noun: closingNoun, shard, before: now, limit: pageSize, atOnce: 1, deadline },
      async (due) => {
        try {
          await advanceClosing(due.account, worker);
        } catch (error) {
          console.error(`The export or the erasure of the account ${due.account} failed:`, error);
          late(due);
        }
      },
    );
    if (unreached) late(unreached);
  }
  if (lags.length > 0) emitMetric(closingLag, Math.max(...lags), 'Seconds', { now });
}

/** Makes the steps of one account until none is due, the deadline has passed, or another run has made a step. */
async function advanceClosing(account: AccountId, worker: Worker): Promise<void> {
  const { clock, deadline } = worker;
  // The index `due` is eventually consistent, so the closing may have been advanced or removed.
  let closing = await closings.find(account);
  while (closing && closing.due <= clock().toISOString() && Date.now() < deadline)
    closing = await advanced(closing, worker);
}

async function advanced(
  closing: StoredClosing,
  { bucket, clock, deadline }: Worker,
): Promise<StoredClosing | undefined> {
  const now = clock();
  const stepDeadline = Math.min(deadline, Date.now() + longestStep);
  const step = { bucket, now, deadline: stepDeadline, writeDeadline: stepDeadline + writeTime };
  const { erasure, ...rest } = closing;
  if (erasure) {
    const after = await advanceErasure({ ...rest, erasure }, step);
    if (!('proof' in after))
      return closings.advance(closing, { ...rest, erasure: after.erasure, due: after.due.toISOString() });
    await finish(closing, after.proof, step.writeDeadline);
    return undefined;
  }
  if (now.toISOString() >= closing.erasesAt) return beginErasure(closing, step);
  const exported = await advanceExport(closing, step);
  const due = exported.sha256 === undefined ? now.toISOString() : closing.erasesAt;
  return closings.advance(closing, { ...rest, export: exported, due });
}

/** Removes the tombstone of the account and its closing, and stores the proof. */
async function finish(
  closing: StoredClosing,
  proof: Parameters<typeof closings.finish>[1],
  deadline: number,
): Promise<void> {
  try {
    await transact([deleteItem(accountKey(closing.account)), ...closings.finish(closing, proof)], deadline);
  } catch (error) {
    // A concurrent run has finished the erasure.
    if (!(error instanceof VersionConflict)) throw error;
  }
}
