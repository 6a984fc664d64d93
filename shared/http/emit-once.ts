import type { Event, EventDraft } from '../events/envelope.ts';
import { commit } from '../events/outbox.ts';
import type { Key } from '../table/keys.ts';
import { putMarker } from '../table/operations.ts';
import { VersionConflict } from '../table/transact.ts';
import { runInBackground } from './background-writes.ts';
import type { HttpEvent, RequestContext } from './request-context.ts';
import { toEvent } from './request-trace.ts';

/** The marks that this instance has set or found: whoever asks again costs no transaction. */
const known = new Set<string>();
const mostKnown = 10_000;

/**
 * Emits an event about something that a client in a loop would make happen over and over: of all who find it in the same
 * minute, in whatever instance, the one who sets the mark does. The mark names the event and the minute; see
 * `limitedKey` and `quotaReachedKey`.
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

/** Emits the event of a draft once, as `emitOnce` does, beside the request. `task` names it in the log if it fails. */
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

/** A minute's mark is of no use after it. */
const hourAfter = (now: Date): Date => new Date(now.getTime() + 3600_000);
