import { commit } from '../../events/outbox.ts';
import { systemEvent } from '../../events/system-event.ts';
import type { AccountId } from '../../id/account-id.ts';
import { isActiveMember } from '../../people/users/rules.ts';
import { memberships } from '../../people/users/store.ts';
import { unassigned } from '../../people/users/unassigned.ts';
import { backoff } from '../../table/backoff.ts';
import { VersionConflict } from '../../table/transact.ts';
import type { Job } from '../../work-queue/jobs.ts';
import type { AttemptRun } from '../../work-queue/work-handler.ts';
import { countOpenTickets } from '../tickets/recompute-clocks.ts';
import { countLeads } from './assigned-records.ts';
import { listsToReassign, type RecordToChange } from './lists-to-reassign.ts';
import type { ReassignmentRun } from './record-changer.ts';
import type { ReassignmentContent } from './schema.ts';
import { byRotation } from './start-reassignment.ts';

/** Records are changed in parallel lanes. Each lane updates two of the 16 shards of the totals. */
const lanes = 8;
const pageSize = 5 * lanes;
/** A step ends after this many milliseconds, or this many milliseconds before its deadline. */
const stepTime = 8_000;
const margin = 5_000;
/** The lists are read at most this often. The wait before another pass, in milliseconds. */
const mostPasses = 4;
const passDelay = 5_000;

/**
 * Runs one step of a reassignment. Each record is changed in its own transaction, with its events, in the name of the
 * caller who requested the reassignment. A repeated step finds only the records that still have the old assignee. If
 * records remain after the last list, for example because an index was not up to date, the lists are read again.
 *
 * Applications and merchants are found by the search index and the recent events; see `readOwned`.
 */
export const reassignRecords: Job<ReassignmentContent> = async ({ content, createdAt }, { account }, run) => {
  const stopped = await reasonToStop(account, content);
  if (stopped) return stopped;
  const until = Math.min(Date.now() + stepTime, run.deadline - margin);
  const lists = listsToReassign({ account, content, now: run.now }, { createdAt, pageSize });
  let { place, before, hasFailed = false } = content;
  for (;;) {
    const readPage = lists[place];
    if (!readPage) return passEnd(account, { ...content, hasFailed }, run.now);
    const { changes, next } = await readPage(before);
    if (!(await changeAll(changes, { account, content, run }))) hasFailed = true;
    [place, before] = next === undefined ? [place + 1, ''] : [place, next];
    if (Date.now() >= until || run.signal.aborted)
      return { content: { ...content, place, before, hasFailed }, again: run.now };
  }
};

/** The job ends if the old assignee is active again, or if the new assignee is no longer active. */
async function reasonToStop(account: AccountId, { from, to }: ReassignmentContent) {
  const isActive = async (userId: string) => {
    const member = await memberships.find(account, Number(userId));
    return member !== undefined && isActiveMember(member);
  };
  if (await isActive(from)) return { status: 'cancelled' as const };
  if (to === byRotation || to === unassigned || (await isActive(to))) return undefined;
  return { status: 'failed' as const, ownFault: true as const, attempt: { error: 'user_unknown' } };
}

async function passEnd(account: AccountId, content: ReassignmentContent, now: Date) {
  const { from, pass, hasFailed } = content;
  const [leads, openTickets] = await Promise.all([
    countLeads(account, from),
    countOpenTickets(account, from),
  ]);
  if (leads + openTickets === 0 && !hasFailed) return { status: 'delivered' as const };
  if (pass >= mostPasses)
    return { status: 'failed' as const, ownFault: true as const, attempt: { error: 'incomplete' } };
  const again = new Date(now.getTime() + passDelay);
  return { content: { ...content, place: 0, before: '', hasFailed: false, pass: pass + 1 }, again };
}

interface Lane extends Pick<ReassignmentRun, 'account' | 'content'> {
  run: AttemptRun;
}

/**
 * Changes the records in parallel lanes. A record that cannot be changed is logged. The next pass tries it again. Returns
 * whether all records were changed.
 */
async function changeAll(changes: readonly RecordToChange[], lane: Lane): Promise<boolean> {
  let isComplete = true;
  await Promise.all(
    Array.from({ length: lanes }, async (_, number) => {
      for (const change of changes.filter((__, n) => n % lanes === number)) {
        if (lane.run.signal.aborted) {
          isComplete = false;
          return;
        }
        await changeOne(change, [number, number + lanes], lane).catch((error: unknown) => {
          isComplete = false;
          console.error(`Could not reassign ${change.name} of account ${lane.account}:`, error);
        });
      }
    }),
  );
  return isComplete;
}

async function changeOne(
  { decide }: RecordToChange,
  shards: readonly number[],
  { account, content, run }: Lane,
): Promise<void> {
  for (let attempts = 0; ; await backoff(attempts)) {
    const change = await decide();
    if (!change) return;
    const { now, deadline } = run;
    const events = change.events.map((draft) =>
      systemEvent(draft, { account, now, schedule: 'reassignment', actor: content.actor }),
    );
    try {
      return await commit({ writes: change.writes, events, deadline, attempts, shards });
    } catch (error) {
      if (!(error instanceof VersionConflict) || Date.now() >= deadline) throw error;
      attempts = error.attempts;
    }
  }
}
