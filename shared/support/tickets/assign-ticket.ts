import type { AccountId } from '../../id/account-id.ts';
import { uniqueIdOf } from '../../id/unique-id.ts';
import type { CountSlot } from '../../rotations/slots.ts';
import type { Authored } from '../../table/revise.ts';
import { nextTurn, rotationsFor, type TurnCriteria } from '../ticket-rotations/next-turn.ts';
import type { StoredTicketRotation } from '../ticket-rotations/schema.ts';
import type { StoredTicketType } from '../ticket-types/schema.ts';
import type { Assignment, UnassignedReason } from './stored-ticket.ts';

/** A turn that a ticket is to take, and the rotations it may be a turn of. */
export interface PendingTurn {
  of: TurnCriteria;
  rotations: readonly StoredTicketRotation[];
}

/** The turn that a ticket of this type takes where nobody is named; undefined where the type asks for none. */
export async function turnFor(
  account: AccountId,
  type: StoredTicketType | undefined,
): Promise<PendingTurn | undefined> {
  if (!type?.autoAssignmentEnabled) return undefined;
  const of = { ticketTypeId: uniqueIdOf('tty', type.id), rotationId: type.rotationId };
  return { of, rotations: await rotationsFor(account, of) };
}

/** Whom a ticket is given to, if to anybody, and how that came. */
export interface NewAssignment {
  assignedTo?: string;
  assignment: Assignment;
}

/** A ticket that is given to somebody or to a team, or to nobody for a reason. */
export const assignmentBy = (
  { principal, now }: Authored,
  how: Assignment['how'],
  { assignedTo, reason }: { assignedTo?: string; reason?: UnassignedReason },
): NewAssignment => ({
  assignedTo,
  assignment: { at: now.toISOString(), by: principal.actor.user, how, ...(reason && { reason }) },
});

/** Whom the turn falls on that a ticket takes. Each call uses up a slot, so call it once for each ticket. */
export async function assignByTurn(
  author: Authored,
  { of, rotations }: PendingTurn,
  how: 'rotation' | 'reopened',
  countSlot?: CountSlot,
): Promise<NewAssignment> {
  const { assignee, turn, reason } = await nextTurn(of, rotations, countSlot);
  const { assignedTo, assignment } = assignmentBy(author, how, { assignedTo: assignee?.userId, reason });
  return { assignedTo, assignment: { ...assignment, ...(turn && { turn }) } };
}
