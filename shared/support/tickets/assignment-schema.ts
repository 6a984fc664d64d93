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

export const howAssigned = ['sent', 'rotation', 'reopened', 'bulk', 'nobody'] as const;

/** Why a ticket is unassigned. `no_turn`: its type does not assign by rotation, or it has no type. */
export const unassignedReasons = [...noTurnReasons, 'no_turn'] as const;

const user = string({ examples: ['214563398120449'] });

/** A turn with everything that determined it, so that the result can be verified. */
const ExplainedTurn = object({
  ...Turn.properties,
  rotationId: uniqueId('rot'),
  sequence: array(user, { description: 'Weighted sequence of the member ids, each as often as its weight.' }),
  position: optional(
    integer({ description: 'Index in the sequence: start + slot, modulo its length.', examples: [4] }),
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
      'sent: set by a request. rotation: by a turn at creation. reopened: reassigned on reopening, because the assignee had left. bulk: set by a bulk operation. nobody: never assigned.',
  }),
  reason: optional(oneOf(unassignedReasons, { description: 'Why it is unassigned.' })),
  turn: optional(ExplainedTurn),
});
export type TicketAssignment = Static<typeof TicketAssignment>;
