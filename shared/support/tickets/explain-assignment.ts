import { uniqueIdOf } from '../../id/unique-id.ts';
import type { Turn } from '../../rotations/schema.ts';
import { positionOf, weightedSequence } from '../../rotations/weighted-sequence.ts';
import type { TicketAssignment } from './assignment-schema.ts';
import type { StoredTicket } from './stored-ticket.ts';

export function explainAssignment(ticket: StoredTicket): TicketAssignment {
  const { id, assignedTo, assignedTeamId, assignment } = ticket;
  const { turn, ...rest } = assignment;
  return {
    ticketId: id,
    uniqueId: uniqueIdOf('tkt', id),
    assignedTo,
    assignedTeamId,
    ...rest,
    ...(turn && { turn: explainTurn(turn) }),
  };
}

const explainTurn = (turn: Turn): TicketAssignment['turn'] => ({
  ...turn,
  rotationId: uniqueIdOf('rot', turn.rotationId),
  sequence: weightedSequence(turn.members).map(({ userId }) => userId),
  ...(turn.members.length > 0 && { position: positionOf(turn.start + turn.slot, turn.members) }),
});
