import { readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { TicketRotation, TicketRotationParams } from '../../shared/support/ticket-rotations/schema.ts';
import { ticketRotations } from '../../shared/support/ticket-rotations/store.ts';

export default readRecord(ticketRotations, {
  path: '/ticket-rotations/{id}',
  params: TicketRotationParams,
  permission: 'readTicketRotations',
  response: TicketRotation,
  summary: 'Read a ticket rotation',
});
