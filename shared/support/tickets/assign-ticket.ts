import type { AccountId } from '../../id/account-id.ts';
import { uniqueIdOf } from '../../id/unique-id.ts';
import type { CountSlot } from '../../rotations/slots.ts';
import type { Authored } from '../../table/revise.ts';
import { nextTurn, rotationsFor, type TurnCriteria } from '../ticket-rotations/next-turn.ts';
import type { StoredTicketRotation } from '../ticket-rotations/schema.ts';
import type { StoredTicketType } from '../ticket-types/schema.ts';
import type { Assignment, UnassignedReason } from './stored-ticket.ts';

export interface PendingTurn {
  of: TurnCriteria;
  rotations: readonly StoredTicketRotation[];
}

/** Reads the rotations for a ticket of this type. Returns undefined if the type does not enable auto-assignment. */
export async function readTurn(
  account: AccountId,
  type: StoredTicketType | undefined,
): Promise<PendingTurn | undefined> {
  if (!type?.autoAssignmentEnabled) return undefined;
  const of = { ticketTypeId: uniqueIdOf('tty', type.id), rotationId: type.rotationId };
  return { of, rotations: await rotationsFor(account, of) };
}

export interface NewAssignment {
  assignedTo?: string;
  assignment: Assignment;
}

export const assignmentBy = (
  { principal, now }: Authored,
  how: Assignment['how'],
  { assignedTo, reason }: { assignedTo?: string; reason?: UnassignedReason },
): NewAssignment => ({
  assignedTo,
  assignment: { at: now.toISOString(), by: principal.actor.user, how, ...(reason && { reason }) },
});

/** Assigns a ticket by rotation. Call this only once per ticket, because each call advances the rotation. */
export async function assignByTurn(
  author: Authored,
  { of, rotations }: PendingTurn,
  how: 'rotation' | 'reopened' | 'reassigned',
  countSlot?: CountSlot,
): Promise<NewAssignment> {
  const { assignee, turn, reason } = await nextTurn(of, rotations, countSlot);
  const { assignedTo, assignment } = assignmentBy(author, how, { assignedTo: assignee?.userId, reason });
  return { assignedTo, assignment: { ...assignment, ...(turn && { turn }) } };
}
