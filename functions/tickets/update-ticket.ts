import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { requireMayAssign } from '../../shared/people/users/rules.ts';
import { ticketEvents } from '../../shared/support/tickets/events.ts';
import { decideChange, readForPatch } from '../../shared/support/tickets/patch-ticket.ts';
import { Ticket, TicketParams, TicketPatch } from '../../shared/support/tickets/schema.ts';
import { showTicket } from '../../shared/support/tickets/show-ticket.ts';
import { tickets } from '../../shared/support/tickets/store.ts';

export default endpoint({
  method: 'PATCH',
  path: '/tickets/{ticketId}',
  permission: 'writeTickets',
  reach: 'ticket',
  params: TicketParams,
  body: TicketPatch,
  response: Ticket,
  errors: ['user_unknown', 'team_unknown'],
  emits: ['ticket_updated', 'ticket_assigned', 'ticket_status_changed'],
  rights: ['emails:find'],
  summary: 'Change the given fields of a ticket',
  description:
    'Null clears assignedTo and assignedTeamId. customFields are merged by key. Every change of status is allowed.',
  read: (input) => readForPatch(input, input.params.ticketId, input.body),
  decide: async (request, loaded) => {
    requireMayAssign(request.principal, request.body.assignedTo);
    await request.checkReadOnly(() => showTicket(loaded.ticket, request));
    const changed = await decideChange(request, loaded);
    return {
      response: showTicket(changed.after, request),
      writes: tickets.change(changed),
      events: ticketEvents(changed),
    };
  },
});
