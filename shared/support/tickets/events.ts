import { byPath, changesBetween } from '../../events/changes.ts';
import { happened } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { ChangedTicket } from './change-ticket.ts';
import { tickets } from './store.ts';
import type { StoredTicket } from './stored-ticket.ts';

/** What an event has beside, where a bulk made the change. */
interface OfBulk {
  bulkId?: string;
}

/** What events tell of a ticket: what it says itself, custom fields by their paths. Nothing of its clock. */
function eventFieldsOf(ticket: StoredTicket): Record<string, unknown> {
  const {
    clock,
    assignment,
    commentCount,
    internalNoteCount,
    responseCount,
    attachmentCount,
    lastResponseAt,
    lastCustomerResponseAt,
    customFields = {},
    ...own
  } = ticket;
  return { ...own, ...byPath({ customFields }) };
}

/** The event of a new ticket, which says why nobody has it where a rotation was to give it to somebody. */
export function ticketCreated(ticket: StoredTicket): EventDraft[] {
  const reason = ticket.assignment?.reason;
  const unassigned = reason !== undefined && reason !== 'no_turn';
  const changes = changesBetween({}, eventFieldsOf(ticket));
  return [
    {
      kind: 'ticket_created',
      subject: subjectOf(tickets, ticket),
      data: { changes, ...(unassigned && { unassigned, reason }) },
    },
  ];
}

export const ticketDeleted = (ticket: StoredTicket): EventDraft[] =>
  happened(tickets, 'ticket_deleted', ticket);

/**
 * The events of a changed ticket: none where nothing changed. Each breach is one of its own, and so is another
 * assignee or status beside the change. `extra` is what they carry beside.
 */
export function ticketEvents({ before, after, breaches }: ChangedTicket, extra: OfBulk = {}): EventDraft[] {
  if (before === after) return [];
  const subject = subjectOf(tickets, after);
  const changes = changesBetween(eventFieldsOf(before), eventFieldsOf(after));
  const { assignedTo = null, assignedTeamId = null } = after;
  const reassigned = 'assignedTo' in changes || 'assignedTeamId' in changes;
  return [
    ...breaches.map(({ target, at }): EventDraft => {
      const data = { change: 'sla_breached' as const, target, breachedAt: at, ...extra };
      return { kind: 'ticket_updated', subject, data };
    }),
    ...eventIf(Object.keys(changes).length > 0, {
      kind: 'ticket_updated',
      subject,
      data: { changes, ...extra },
    }),
    ...eventIf(reassigned, {
      kind: 'ticket_assigned',
      subject,
      data: { assignedTo, assignedTeamId, ...extra },
    }),
    ...eventIf(before.status !== after.status, {
      kind: 'ticket_status_changed',
      subject,
      data: { from: before.status, to: after.status, ...extra },
    }),
  ];
}

const eventIf = (happens: boolean, draft: EventDraft): EventDraft[] => (happens ? [draft] : []);
