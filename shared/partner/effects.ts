import type { EventDraft } from '../events/envelope.ts';
import type { Write } from '../table/operations.ts';

/** The changes that an event causes. They are committed in one transaction with the end of its work item. */
export interface PartnerEffects {
  writes: Write[];
  events: EventDraft[];
}
