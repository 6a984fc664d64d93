import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { recordNamed } from '../../shared/endpoints/record-endpoints.ts';
import { resetTurns } from '../../shared/rotations/rules.ts';
import { positionReset } from '../../shared/support/ticket-rotations/events.ts';
import {
  TicketRotation,
  TicketRotationParams,
  TicketRotationReset,
} from '../../shared/support/ticket-rotations/schema.ts';
import { ticketRotations } from '../../shared/support/ticket-rotations/store.ts';
import { revise } from '../../shared/table/revise.ts';

const path = '/ticket-rotations/{id}/reset';

export default endpoint({
  method: 'POST',
  path,
  permission: 'writeTicketRotations',
  params: TicketRotationParams,
  body: TicketRotationReset,
  bodyOptional: true,
  response: TicketRotation,
  errors: ['position_out_of_range'],
  emits: ['ticket_rotation_position_reset'],
  summary: 'Set the position of a ticket rotation',
  description: 'If currentPosition is omitted, the rotation restarts at 0.',
  read: (input) => recordNamed(ticketRotations, { path }, input),
  decide: (request, { rotation, progress, shown }) => {
    const { currentPosition: wanted = 0 } = request.body;
    const { turns, currentPosition } = resetTurns(rotation, progress, wanted, shown.currentPosition);
    const after = revise(rotation, turns, request);
    const response = ticketRotations.showAt(after, { currentPosition, skipped: progress.skipped });
    const events = positionReset(shown, response);
    return { response, writes: ticketRotations.replace(rotation, after), events };
  },
});
