import { deleteRecord } from '../../shared/endpoints/record-endpoints.ts';
import { TicketRotation, TicketRotationParams } from '../../shared/support/ticket-rotations/schema.ts';
import { ticketRotations } from '../../shared/support/ticket-rotations/store.ts';

export default deleteRecord(ticketRotations, {
  path: '/ticket-rotations/{id}',
  params: TicketRotationParams,
  permission: 'writeTicketRotations',
  response: TicketRotation,
  emits: 'ticket_rotation_deleted',
  summary: 'Delete a ticket rotation',
});
