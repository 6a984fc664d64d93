import type { Event } from '../../events/envelope.ts';
import { eventKey } from '../../events/keys.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintedAt } from '../../id/mint.ts';
import { getItem } from '../../table/read.ts';
import { enqueueAgain } from '../../work-queue/enqueue.ts';
import type { JobContent } from '../../work-queue/jobs.ts';
import type { Run } from '../../work-queue/work-queue.ts';
import { turnFor } from './turns.ts';

/** The work item stays for as long as an event, in milliseconds: an outage of KMS must not outlive it. */
const keptFor = 400 * 86_400_000;

/** For each account the last turn, in milliseconds since 1970, for which this instance opened the job. */
const opened = new Map<AccountId, number>();
/** The most accounts that are remembered. The next event of a forgotten account costs a few units more. */
const mostRemembered = 10_000;

/**
 * Opens the job that seals an account's log at the turn of this event. An instance writes once for an account and turn, and
 * the other events of that turn cost nothing. An event that is no longer in the log opens nothing, so that nothing of an
 * erased account comes back.
 */
export async function openSealing(
  { accountId: account, id }: Pick<Event, 'accountId' | 'id'>,
  run: Run,
): Promise<void> {
  const due = turnFor(account, mintedAt(id));
  if ((opened.get(account) ?? 0) >= due.getTime()) return;
  if (!(await getItem(eventKey(account, id)))) return;
  const content: JobContent = { job: 'seal_events' };
  const expires = new Date(run.now.getTime() + keptFor);
  await enqueueAgain({ account, name: 'JOBS' }, { id: 'seal', due, content, expires }, run);
  if (opened.size >= mostRemembered) opened.clear();
  opened.set(account, due.getTime());
}
