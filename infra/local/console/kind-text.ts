import type { Event } from '../../../shared/events/envelope.ts';
import { happeningOf } from '../../../shared/events/kinds.ts';

/** Returns the kind of an event, and its happening if the kind has no name of its own. */
export function kindText(event: Pick<Event, 'kind' | 'data'>): string {
  const happening = happeningOf(event);
  return happening ? `${event.kind}: ${happening}` : event.kind;
}
