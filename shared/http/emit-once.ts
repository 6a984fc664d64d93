import type { Event, EventDraft } from '../events/envelope.ts';
import { commit } from '../events/outbox.ts';
import type { Key } from '../table/keys.ts';
import { putMarker } from '../table/operations.ts';
import { VersionConflict } from '../table/transact.ts';
import { runInBackground } from './background-writes.ts';
import type { HttpEvent, RequestContext } from './request-context.ts';
import { toEvent } from './request-trace.ts';

/** Markers that this instance wrote, or found in the table. The instance does not try to write them again. */
const known = new Set<string>();
const mostKnown = 10_000;

/**
 * Emits an event at most once a minute, even if a client causes the event again and again. The marker's key identifies
 * the event and the minute, so that all instances together emit the event once. See `limitedKey` and `quotaReachedKey`.
 */
export async function emitOnce(
  mark: Key,
  event: () => Event,
  { now, deadline }: Pick<RequestContext, 'now' | 'deadline'>,
): Promise<void> {
  const name = `${mark.pk}\n${mark.sk}`;
  if (known.has(name)) return;
  if (known.size >= mostKnown) known.clear();
  known.add(name);
  try {
    await commit({ writes: [putMarker(mark, hourAfter(now))], events: [event()], deadline });
  } catch (error) {
    if (error instanceof VersionConflict) return;
    known.delete(name);
    throw error;
  }
}

/**
 * Like `emitOnce`, but takes a draft of the event and writes in the background. If the write fails, the log entry
 * contains `task`.
 */
export function emitOnceInBackground(
  task: string,
  mark: Key,
  draft: EventDraft,
  event: HttpEvent,
  requestContext: RequestContext,
): void {
  runInBackground(requestContext, task, () =>
    emitOnce(mark, () => toEvent(draft, event, requestContext), requestContext),
  );
}

/** The expiry of a marker: an hour from now, because a marker is needed only until its minute ends. */
const hourAfter = (now: Date): Date => new Date(now.getTime() + 3600_000);
