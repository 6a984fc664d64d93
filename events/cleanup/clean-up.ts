import type { Event } from '../../shared/events/envelope.ts';
import type { EventKind } from '../../shared/events/kinds.ts';
import { removeChildren } from './remove-children.ts';
import { removeFile, removeFiles } from './remove-files.ts';

/** The time of a removal, and its deadline in milliseconds since 1970. */
interface RemovalTiming {
  now: Date;
  deadline: number;
}

/**
 * Removes data that an event makes obsolete. Throws if something is left, so that the event is delivered again. Events
 * arrive at least once and in any order, so missing data is not an error.
 */
type Removal = (event: Event, timing: RemovalTiming) => Promise<void>;

/** The removals per event, in order: a later step must not need what an earlier one removes. */
export const removals: Readonly<Partial<Record<EventKind, readonly Removal[]>>> = {
  application_deleted: [removeFiles, removeChildren],
  merchant_deleted: [removeFiles, removeChildren],
  ticket_deleted: [removeFiles, removeChildren],
  file_deleted: [removeFile],
};

/** Removes what a deletion leaves behind. Throws if something is left. */
export async function cleanUp(event: Event, timing: RemovalTiming): Promise<void> {
  for (const remove of removals[event.kind] ?? []) await remove(event, timing);
}
