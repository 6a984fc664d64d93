import type { Event } from '../events/envelope.ts';
import type { EventKind } from '../events/kinds.ts';
import { removeChildren } from './remove-children.ts';
import { removeFile, removeFiles } from './remove-files.ts';

/**
 * Removes something that an event leaves behind, and returns whether nothing of it is left. Events arrive at least once
 * and in any order, so removing what is gone already is success.
 */
export type Removal = (event: Event, now: Date) => Promise<boolean>;

/** What goes after a deletion, in this order: what a later step needs to find the rest is removed last. */
export const removals: Readonly<Partial<Record<EventKind, readonly Removal[]>>> = {
  application_deleted: [removeFiles, removeChildren],
  merchant_deleted: [removeFiles, removeChildren],
  ticket_deleted: [removeFiles, removeChildren],
  file_deleted: [removeFile],
};

/** Removes what deletions leave behind, and returns the ids of the events that must come again. */
export async function cleanUp(events: Event[], now: Date): Promise<ReadonlySet<number>> {
  const cleaned = await Promise.all(events.map((event) => cleanUpAfter(event, now)));
  return new Set(events.filter((_, index) => !cleaned[index]).map(({ id }) => id));
}

async function cleanUpAfter(event: Event, now: Date): Promise<boolean> {
  for (const remove of removals[event.kind] ?? []) if (!(await remove(event, now))) return false;
  return true;
}
