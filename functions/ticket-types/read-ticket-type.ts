import { readRecord } from '../../shared/http/record-endpoints.ts';
import { TicketType, TicketTypeParams } from '../../shared/ticket-types/schema.ts';
import { ticketTypes } from '../../shared/ticket-types/store.ts';

export default readRecord(ticketTypes, {
  path: '/ticket-types/{id}',
  params: TicketTypeParams,
  permission: 'readTicketTypes',
  response: TicketType,
  summary: 'Read a ticket type',
});
