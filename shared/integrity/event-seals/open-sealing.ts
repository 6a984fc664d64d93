import type { Event } from '../../events/envelope.ts';
import { eventKey } from '../../events/keys.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintedAt } from '../../id/mint.ts';
import { getItem } from '../../table/read.ts';
import { enqueueAgain } from '../../work-queue/enqueue.ts';
import type { JobContent } from '../../work-queue/jobs.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import { sealTime } from './turns.ts';

/**
 * The lifetime of the work item, in milliseconds. It is as long as the lifetime of an event, so that the item
 * still exists after a long KMS outage.
 */
const keptFor = 400 * 86_400_000;

/** The time of the last sealing that this instance scheduled for each account, in milliseconds since 1970. */
const opened = new Map<AccountId, number>();
/** The maximum size of `opened`. After an entry is removed, a sealing may be scheduled again, which costs one write. */
const mostRemembered = 10_000;

/**
 * Schedules the next sealing of an account's log after this event. An instance schedules each sealing only once. If
 * the event is no longer in the log, nothing is written, so that an erased account gets no new items.
 */
export async function openSealing(
  { accountId: account, id }: Pick<Event, 'accountId' | 'id'>,
  run: Run,
): Promise<void> {
  const due = sealTime(account, mintedAt(id));
  if ((opened.get(account) ?? 0) >= due.getTime()) return;
  if (!(await getItem(eventKey(account, id)))) return;
  const content: JobContent = { job: 'seal_events' };
  const expires = new Date(run.now.getTime() + keptFor);
  await enqueueAgain({ account, name: 'SEALING' }, { id: 'seal', due, content, expires }, run);
  if (opened.size >= mostRemembered) opened.clear();
  opened.set(account, due.getTime());
}
