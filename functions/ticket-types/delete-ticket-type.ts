import { deleteRecord } from '../../shared/endpoints/record-endpoints.ts';
import { TicketType, TicketTypeParams } from '../../shared/support/ticket-types/schema.ts';
import { ticketTypes } from '../../shared/support/ticket-types/store.ts';

export default deleteRecord(ticketTypes, {
  path: '/ticket-types/{id}',
  params: TicketTypeParams,
  permission: 'writeTicketTypes',
  response: TicketType,
  emits: 'ticket_type_deleted',
  summary: 'Delete a ticket type; its tickets keep their custom fields but accept no new values',
});
