import type { Event, EventDraft } from '../events/envelope.ts';
import { commit } from '../events/outbox.ts';
import type { Key } from '../table/keys.ts';
import { putMarker } from '../table/operations.ts';
import { VersionConflict } from '../table/transact.ts';
import { runInBackground } from './background-writes.ts';
import { toEvent } from './request-trace.ts';
import type { KnownCaller, Received } from './stages.ts';

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
  { now, deadline }: Pick<Received, 'now' | 'deadline'>,
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
  request: Received & KnownCaller,
): void {
  runInBackground(request, task, () => emitOnce(mark, () => toEvent(draft, request), request));
}

/** The expiry of a marker: an hour from now, because a marker is needed only until its minute ends. */
const hourAfter = (now: Date): Date => new Date(now.getTime() + 3600_000);
