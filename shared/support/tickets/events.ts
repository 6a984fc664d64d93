import { byPath, changesBetween } from '../../events/changes.ts';
import { happened } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { Clock } from '../../sla/clock.ts';
import type { ChangedTicket } from './change-ticket.ts';
import { tickets } from './store.ts';
import type { StoredTicket } from './stored-ticket.ts';

/**
 * Returns the ticket fields that events contain. The name of a custom field is its path, such as
 * `customFields.model`.
 */
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

/** Returns the event of a new ticket, with the reason if its rotation found no assignee. */
export function ticketCreated(ticket: StoredTicket): EventDraft[] {
  const reason = ticket.assignment?.reason;
  const unassigned = reason !== undefined && reason !== 'no_turn';
  const changes = changesBetween({}, eventFieldsOf(ticket));
  const data = { changes, ...(unassigned && { unassigned, reason }) };
  return [{ kind: 'ticket_created', subject: subjectOf(tickets, ticket), data }];
}

export const ticketDeleted = (ticket: StoredTicket): EventDraft[] =>
  happened(tickets, 'ticket_deleted', ticket);

/**
 * Returns one event for each breach, one for all changed fields, one for a new assignee or team, and one for a new
 * status. If nothing changed, returns an empty array. `extra` is added to the data of each event.
 */
export function ticketEvents(
  { before, after, entries, breaches }: ChangedTicket,
  extra: { bulkId?: string } = {},
): EventDraft[] {
  if (before === after) return [];
  const subject = subjectOf(tickets, after);
  const changes = changesBetween(eventFieldsOf(before), eventFieldsOf(after));
  const { assignedTo = null, assignedTeamId = null } = after;
  const reassigned = 'assignedTo' in changes || 'assignedTeamId' in changes;
  const events = breaches.map(({ target, at }): EventDraft => {
    const data = { change: 'sla_breached' as const, target, breachedAt: at, ...extra };
    return { kind: 'ticket_updated', subject, data };
  });
  if (entries.some(({ kind }) => kind === 'policy'))
    events.push({ kind: 'ticket_updated', subject, data: recomputed(before.clock, after.clock) });
  if (Object.keys(changes).length > 0)
    events.push({ kind: 'ticket_updated', subject, data: { changes, ...extra } });
  if (reassigned)
    events.push({ kind: 'ticket_assigned', subject, data: { assignedTo, assignedTeamId, ...extra } });
  if (before.status !== after.status) {
    const data = { from: before.status, to: after.status, ...extra };
    events.push({ kind: 'ticket_status_changed', subject, data });
  }
  return events;
}

/** Returns the event of a response that was counted after its comment, because its mail was accepted for delivery. */
export const responseCounted = ({ before, after }: ChangedTicket): EventDraft[] => {
  const counts = ({ responseCount, lastResponseAt }: StoredTicket) => ({ responseCount, lastResponseAt });
  const changes = changesBetween(counts(before), counts(after));
  return [{ kind: 'ticket_updated', subject: subjectOf(tickets, after), data: { changes } }];
};

/** Describes a change of the policy of a clock, with the due times that it changed. */
function recomputed(before: Clock, after: Clock) {
  const dueOf = (field: 'firstResponseDue' | 'resolutionDue') =>
    before[field] === after[field] ? undefined : { from: before[field], to: after[field] };
  return {
    change: 'sla_recomputed' as const,
    policy: after.policy,
    slaFirstResponseDue: dueOf('firstResponseDue'),
    slaResolutionDue: dueOf('resolutionDue'),
  };
}
