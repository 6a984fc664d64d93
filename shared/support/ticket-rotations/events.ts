import { updated } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { TicketRotation } from './schema.ts';
import { ticketRotations } from './store.ts';

/** Returns the events of a changed rotation: an update, and a status change if the status differs. */
export const ticketRotationUpdated = (before: TicketRotation, after: TicketRotation): EventDraft[] => [
  ...updated(ticketRotations, 'ticket_rotation_updated', before, after),
  ...statusChanged(before, after),
];

function statusChanged(before: TicketRotation, after: TicketRotation): EventDraft[] {
  if (before.status === after.status) return [];
  const data = { from: before.status, to: after.status };
  return [{ kind: 'ticket_rotation_status_changed', subject: subjectOf(ticketRotations, after), data }];
}

export function positionReset(before: TicketRotation, after: TicketRotation): EventDraft[] {
  if (before.currentPosition === after.currentPosition) return [];
  const data = { from: before.currentPosition, to: after.currentPosition };
  return [{ kind: 'ticket_rotation_position_reset', subject: subjectOf(ticketRotations, after), data }];
}
