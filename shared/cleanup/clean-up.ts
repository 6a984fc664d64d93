import type { Event } from '../events/envelope.ts';
import type { EventKind } from '../events/kinds.ts';
import { removeChildren } from './remove-children.ts';

/**
 * Removes something that an event leaves behind, and returns whether nothing of it is left. Events arrive at least once
 * and in any order, so removing what is gone already is success.
 */
export type Removal = (event: Event) => Promise<boolean>;

/** What goes after a deletion, in this order: what a later step needs to find the rest is removed last. */
export const removals: Readonly<Partial<Record<EventKind, readonly Removal[]>>> = {
  application_deleted: [removeChildren],
  merchant_deleted: [removeChildren],
  file_deleted: [],
};

/** Removes what deletions leave behind, and returns the ids of the events that must come again. */
export async function cleanUp(events: Event[]): Promise<ReadonlySet<number>> {
  const cleaned = await Promise.all(events.map(cleanUpAfter));
  return new Set(events.filter((_, index) => !cleaned[index]).map(({ id }) => id));
}

async function cleanUpAfter(event: Event): Promise<boolean> {
  for (const remove of removals[event.kind] ?? []) if (!(await remove(event))) return false;
  return true;
}
