import type { Key } from '../table/keys.ts';
import { putMarker } from '../table/operations.ts';
import { VersionConflict } from '../table/transact.ts';
import type { Event } from './envelope.ts';
import { type CommitOptions, commit } from './outbox.ts';

/** Markers that this instance wrote, or found in the table. The instance does not try to write them again. */
const known = new Set<string>();
const mostKnown = 10_000;

/** The time until which a marker is kept, and the deadline of the commit. */
interface EmitOptions extends Pick<CommitOptions, 'deadline'> {
  until: Date;
}

/**
 * Emits an event at most once a period, even if its cause occurs again and again. The marker's key identifies the event and
 * the period, so that all instances together emit the event once. `event` is called only if this instance has not emitted the
 * event yet. If it returns undefined, no event is emitted.
 */
export async function emitOnce(
  mark: Key,
  event: () => Event | undefined | Promise<Event | undefined>,
  { until, deadline }: EmitOptions,
): Promise<void> {
  const name = `${mark.pk}\n${mark.sk}`;
  if (known.has(name)) return;
  if (known.size >= mostKnown) known.clear();
  known.add(name);
  try {
    const made = await event();
    if (made) await commit({ writes: [putMarker(mark, until)], events: [made], deadline });
    else known.delete(name);
  } catch (error) {
    if (error instanceof VersionConflict) return;
    known.delete(name);
    throw error;
  }
}
