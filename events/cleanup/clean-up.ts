import type { Event } from '../../shared/events/envelope.ts';
import type { EventKind } from '../../shared/events/kinds.ts';
import { removeChildren } from './remove-children.ts';
import { removeFile, removeFiles } from './remove-files.ts';

/** When a removal takes place, and the milliseconds since 1970 at which it is to be over. */
interface RemovalTiming {
  now: Date;
  deadline: number;
}

/**
 * Removes something that an event leaves behind. Throws while anything of it is left: the event must come again. Events
 * arrive at least once and in any order, so removing what is gone already is success.
 */
type Removal = (event: Event, timing: RemovalTiming) => Promise<void>;

/** What goes after a deletion, in this order: what a later step needs to find the rest is removed last. */
export const removals: Readonly<Partial<Record<EventKind, readonly Removal[]>>> = {
  application_deleted: [removeFiles, removeChildren],
  merchant_deleted: [removeFiles, removeChildren],
  ticket_deleted: [removeFiles, removeChildren],
  file_deleted: [removeFile],
};

/** Removes what a deletion leaves behind. Throws while anything of it is left. */
export async function cleanUp(event: Event, timing: RemovalTiming): Promise<void> {
  for (const remove of removals[event.kind] ?? []) await remove(event, timing);
}
