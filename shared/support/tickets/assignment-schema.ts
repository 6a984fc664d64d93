import { Turn } from '../../rotations/schema.ts';
import {
  array,
  dateTime,
  integer,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
  uniqueId,
} from '../../schema.ts';
import { noTurnReasons } from '../ticket-rotations/schema.ts';

export const howAssigned = ['sent', 'rotation', 'reopened', 'bulk', 'reassigned', 'nobody'] as const;

/** Why a ticket is unassigned. `no_turn`: the ticket has no type, or its type does not assign by rotation. */
export const unassignedReasons = [...noTurnReasons, 'no_turn'] as const;

const user = string({ examples: ['214563398120449'] });

/** An assignment by rotation with all values that determined it, so that clients can verify the result. */
const ExplainedTurn = object({
  ...Turn.properties,
  rotationId: uniqueId('rot'),
  sequence: array(user, { description: 'Sequence of member ids. Each id occurs as often as its weight.' }),
  position: optional(
    integer({ description: 'Index in the sequence: (start + slot) modulo length.', examples: [4] }),
  ),
});

export const TicketAssignment = object({
  ticketId: recordId(),
  uniqueId: uniqueId('tkt'),
  assignedTo: optional(user),
  assignedTeamId: optional(recordId()),
  at: dateTime({ description: 'Time of the assignment.' }),
  by: string({
    description: 'Caller of the request: a user’s email, or the API key.',
    examples: ['grace@example.com'],
  }),
  how: oneOf(howAssigned, {
    description:
      'sent: set by a request. rotation: assigned by a rotation at creation. reopened: reassigned when the ticket was reopened, because the assignee was no longer an active member. bulk: set by a bulk operation. reassigned: changed because the assignee left the account, was removed or was deactivated. nobody: never assigned.',
  }),
  reason: optional(oneOf(unassignedReasons, { description: 'Why the ticket is unassigned.' })),
  turn: optional(ExplainedTurn),
});
export type TicketAssignment = Static<typeof TicketAssignment>;
