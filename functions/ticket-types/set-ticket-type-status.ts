import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { TicketType, TicketTypeParams, TicketTypeStatus } from '../../shared/support/ticket-types/schema.ts';
import { ticketTypeStatusChanged, ticketTypes } from '../../shared/support/ticket-types/store.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'PATCH',
  path: '/ticket-types/{id}/status',
  permission: 'writeTicketTypes',
  params: TicketTypeParams,
  body: TicketTypeStatus,
  response: TicketType,
  emits: ['ticket_type_status_changed'],
  summary: 'Activate or deactivate a ticket type',
  description: 'An inactive type accepts no new tickets. Its existing tickets do not change.',
  read: ({ account, params }) => ticketTypes.getByReference(account, params.id),
  decide: (request, before) => {
    const after = revise(before, request.body, request);
    return {
      response: ticketTypes.show(after),
      writes: ticketTypes.replace(before, after),
      events: ticketTypeStatusChanged(before, after),
    };
  },
});
