import type { AccountId } from '../id/account-id.ts';
import { asUniqueRecordId, uniqueIdOf } from '../id/unique-id.ts';
import type { Authored } from '../table/revise.ts';
import { nextTurn, readTicketRotations, type TurnOf } from '../ticket-rotations/next-turn.ts';
import type { StoredTicketRotation } from '../ticket-rotations/schema.ts';
import { ticketRotations } from '../ticket-rotations/store.ts';
import type { StoredTicketType } from '../ticket-types/schema.ts';
import type { Assignment, UnassignedReason } from './stored-ticket.ts';

/** A turn that a ticket is to take, and the rotations it may be a turn of. */
export interface Waiting {
  of: TurnOf;
  rotations: readonly StoredTicketRotation[];
}

/** The turn that a ticket of this type takes where nobody is named; undefined where the type asks for none. */
export async function turnFor(
  account: AccountId,
  type: StoredTicketType | undefined,
): Promise<Waiting | undefined> {
  if (!type?.autoAssignmentEnabled) return undefined;
  const { id, rotationId } = type;
  const of = { ticketTypeId: uniqueIdOf('tty', id), rotationId };
  if (rotationId === undefined) return { of, rotations: await readTicketRotations(account) };
  const named = asUniqueRecordId('rot', rotationId);
  const rotation = named === undefined ? undefined : await ticketRotations.find(account, named);
  return { of, rotations: rotation ? [rotation] : [] };
}

/** Whom a ticket is given to, if to anybody, and how that came. */
export interface Given {
  assignedTo?: string;
  assignment: Assignment;
}

/** A ticket that is given to somebody or to a team, or to nobody for a reason. */
export const givenBy = (
  { principal, now }: Authored,
  how: Assignment['how'],
  { assignedTo, reason }: { assignedTo?: string; reason?: UnassignedReason },
): Given => ({
  assignedTo,
  assignment: { at: now.toISOString(), by: principal.actor.user, how, ...(reason && { reason }) },
});

/** Whom the turn falls on that a ticket takes. Each call uses up a slot, so call it once for each ticket. */
export async function givenByTurn(
  account: AccountId,
  author: Authored,
  { of, rotations }: Waiting,
  how: 'rotation' | 'reopened',
): Promise<Given> {
  const { assignee, turn, reason } = await nextTurn(account, of, rotations);
  const { assignedTo, assignment } = givenBy(author, how, { assignedTo: assignee?.userId, reason });
  return { assignedTo, assignment: { ...assignment, ...(turn && { turn }) } };
}
