import { uniqueIdOf } from '../../id/unique-id.ts';
import type { Turn } from '../../rotations/schema.ts';
import { positionOf, weightedSequence } from '../../rotations/weighted-sequence.ts';
import type { TicketAssignment } from './assignment-schema.ts';
import type { StoredTicket } from './stored-ticket.ts';

/** Who has a ticket and how that came, with the turn that it was. */
export function explainAssignment(ticket: StoredTicket): TicketAssignment {
  const { id, assignedTo, assignedTeamId, assignment } = ticket;
  const { turn, ...told } = assignment;
  return {
    ticketId: id,
    uniqueId: uniqueIdOf('tkt', id),
    assignedTo,
    assignedTeamId,
    ...told,
    ...(turn && { turn: explainTurn(turn) }),
  };
}

const explainTurn = (turn: Turn): TicketAssignment['turn'] => ({
  ...turn,
  rotationId: uniqueIdOf('rot', turn.rotationId),
  sequence: weightedSequence(turn.members).map(({ userId }) => userId),
  ...(turn.members.length > 0 && { position: positionOf(turn.start + turn.slot, turn.members) }),
});
