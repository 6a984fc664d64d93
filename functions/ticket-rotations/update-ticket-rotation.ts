import { asUniqueId } from '../../shared/id/unique-id.ts';
import { patchRotation } from '../../shared/rotations/rotation-endpoints.ts';
import { ticketRotationUpdated } from '../../shared/support/ticket-rotations/events.ts';
import {
  TicketRotation,
  TicketRotationParams,
  TicketRotationPatch,
} from '../../shared/support/ticket-rotations/schema.ts';
import { ticketRotations } from '../../shared/support/ticket-rotations/store.ts';
import { requireTicketType } from '../../shared/support/ticket-types/require-ticket-type.ts';

export default patchRotation(ticketRotations, {
  path: '/ticket-rotations/{id}',
  params: TicketRotationParams,
  permission: 'writeTicketRotations',
  body: TicketRotationPatch,
  response: TicketRotation,
  errors: ['ticket_type_unknown'],
  emits: ['ticket_rotation_updated', 'ticket_rotation_status_changed'],
  summary: 'Change the given fields of a ticket rotation',
  refersTo: {
    field: 'ticketTypeId',
    check: async ({ account, body: { ticketTypeId } }) =>
      typeof ticketTypeId === 'string' && requireTicketType(account, 'ticketTypeId', ticketTypeId),
  },
  set: ({ currentPosition, userRotationArray, ticketTypeId, ...fields }) => ({
    ...fields,
    ticketTypeId: ticketTypeId && asUniqueId('tty', ticketTypeId),
  }),
  events: ticketRotationUpdated,
});
