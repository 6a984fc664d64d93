import { readRecord } from '../../shared/http/record-endpoints.ts';
import { TicketRotation, TicketRotationParams } from '../../shared/ticket-rotations/schema.ts';
import { ticketRotations } from '../../shared/ticket-rotations/store.ts';

export default readRecord(ticketRotations, {
  path: '/ticket-rotations/{id}',
  params: TicketRotationParams,
  permission: 'readTicketRotations',
  response: TicketRotation,
  summary: 'Read a ticket rotation',
});
