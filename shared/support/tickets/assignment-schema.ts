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

/** How a ticket came to whoever has it. */
export const howAssigned = ['sent', 'rotation', 'reopened', 'bulk', 'nobody'] as const;

/** Why a ticket was given to nobody. `no_turn`: its type assigns nobody by rotation, or it has none. */
export const unassignedReasons = [...noTurnReasons, 'no_turn'] as const;

const user = string({ examples: ['214563398120449'] });

/** A turn with all that it followed from, so that anybody can work out again whose it was. */
const ExplainedTurn = object({
  ...Turn.properties,
  rotationId: uniqueId('rot'),
  sequence: array(user, {
    description: 'The weighted sequence of the members: their ids, each as often as its weight.',
  }),
  position: optional(
    integer({ description: 'The index in the sequence: start + slot, modulo its length.', examples: [4] }),
  ),
});

/** Who has a ticket, who gave it to them and how. */
export const TicketAssignment = object({
  ticketId: recordId(),
  uniqueId: uniqueId('tkt'),
  assignedTo: optional(user),
  assignedTeamId: optional(recordId()),
  at: dateTime({ description: 'When it was given to them.' }),
  by: string({
    description: 'Whose request it was: the email of a user, or the API key.',
    examples: ['grace@example.com'],
  }),
  how: oneOf(howAssigned, {
    description:
      'sent: a request named who. rotation: a turn when it was made. reopened: it was reopened after whoever had it had left. bulk: a bulk named who. nobody: nothing gave it to anybody.',
  }),
  reason: optional(oneOf(unassignedReasons, { description: 'Why nobody has it.' })),
  turn: optional(ExplainedTurn),
});
export type TicketAssignment = Static<typeof TicketAssignment>;
