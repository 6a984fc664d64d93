import { emitOnce } from '../events/emit-once.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { Key } from '../table/keys.ts';
import { runInBackground } from './background-writes.ts';
import { toEvent } from './request-trace.ts';
import type { KnownCaller, Received } from './steps.ts';

/**
 * Emits an event at most once a minute, in the background. The marker's key contains the minute. If the write fails, the log
 * entry contains `task`. See `limitedKey`, `systemErrorKey` and `quotaReachedKey`.
 */
export function emitOnceInBackground(
  task: string,
  mark: Key,
  draft: EventDraft,
  request: Received & KnownCaller,
): void {
  const emit = () => emitOnce(mark, async () => toEvent(draft, request), onceAMinute(request));
  runInBackground(request, task, emit);
}

/** The options of `emitOnce`. A marker expires after an hour, because it is needed only until its minute ends. */
export const onceAMinute = ({ now, deadline }: Pick<Received, 'now' | 'deadline'>) => ({
  until: new Date(now.getTime() + 3600_000),
  deadline,
});
