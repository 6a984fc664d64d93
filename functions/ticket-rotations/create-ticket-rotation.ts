import { asUniqueId } from '../../shared/id/unique-id.ts';
import { createRotation } from '../../shared/rotations/rotation-endpoints.ts';
import { TicketRotation, TicketRotationInput } from '../../shared/support/ticket-rotations/schema.ts';
import { ticketRotations } from '../../shared/support/ticket-rotations/store.ts';
import { requireTicketType } from '../../shared/support/ticket-types/require-ticket-type.ts';

export default createRotation(ticketRotations, {
  path: '/ticket-rotations',
  permission: 'writeTicketRotations',
  body: TicketRotationInput,
  response: TicketRotation,
  errors: ['ticket_type_unknown'],
  emits: 'ticket_rotation_created',
  summary: 'Create a ticket rotation',
  refersTo: async ({ account, body: { ticketTypeId } }) =>
    typeof ticketTypeId === 'string' && requireTicketType(account, 'ticketTypeId', ticketTypeId),
  rotation: ({ currentPosition, ticketTypeId, ...fields }, initial) => ({
    status: 'active',
    ...fields,
    ticketTypeId: ticketTypeId && asUniqueId('tty', ticketTypeId),
    ...initial,
  }),
});
