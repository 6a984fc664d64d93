import { subjectOf } from '../events/emit.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { StoredTicketType } from './schema.ts';

declare module '../events/data.ts' {
  interface NounEvents {
    ticket_type: {
      ticket_type_created: Changed;
      ticket_type_deleted: Nothing;
      /** `isActive`, before and after. */
      ticket_type_status_changed: { from: boolean; to: boolean };
      ticket_type_updated: Changed;
    };
  }
}

/** The event of a type that was switched on or off; none where it was so already. */
export function ticketTypeStatusChanged(before: StoredTicketType, after: StoredTicketType): EventDraft[] {
  if (before === after) return [];
  const data = { from: before.isActive, to: after.isActive };
  return [{ kind: 'ticket_type_status_changed', subject: subjectOf('ticket_type', after), data }];
}
