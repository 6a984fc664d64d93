import { readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { TicketType, TicketTypeParams } from '../../shared/support/ticket-types/schema.ts';
import { ticketTypes } from '../../shared/support/ticket-types/store.ts';

export default readRecord(ticketTypes, {
  path: '/ticket-types/{id}',
  params: TicketTypeParams,
  permission: 'readTicketTypes',
  response: TicketType,
  summary: 'Read a ticket type',
});
