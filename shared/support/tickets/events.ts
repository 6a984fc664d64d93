import { byPath, changesBetween } from '../../events/changes.ts';
import { happened } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { ChangedTicket } from './change-ticket.ts';
import { tickets } from './store.ts';
import type { StoredTicket } from './stored-ticket.ts';

interface OfBulk {
  bulkId?: string;
}

/** The fields of a ticket in events: its own fields, custom fields by path, and none of its clock. */
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

/** The event of a new ticket, with the reason if its rotation found no assignee. */
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
 * The events of a changed ticket; none if nothing changed. Each breach, a new assignee and a new status have events of
 * their own. `extra` is added to the data of each.
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
