import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { StoredTicketType } from './schema.ts';
import { ticketTypes } from './store.ts';

/** The event of a type that was switched on or off; none where it was so already. */
export function ticketTypeStatusChanged(before: StoredTicketType, after: StoredTicketType): EventDraft[] {
  if (before === after) return [];
  const data = { from: before.isActive, to: after.isActive };
  return [{ kind: 'ticket_type_status_changed', subject: subjectOf(ticketTypes, after), data }];
}
