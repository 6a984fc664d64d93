import { policyOf } from '../../shared/accounts/policy-of.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { changeTicket } from '../../shared/tickets/change-ticket.ts';
import { ticketEvents } from '../../shared/tickets/events.ts';
import { readForPatch } from '../../shared/tickets/patch-ticket.ts';
import { policyFor } from '../../shared/tickets/read-ticket.ts';
import { Ticket, TicketParams, TicketPatch } from '../../shared/tickets/schema.ts';
import { showTicket } from '../../shared/tickets/show-ticket.ts';
import { tickets } from '../../shared/tickets/store.ts';
import { takeSuccession, withSuccessor } from '../../shared/tickets/succeed-assignee.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/tickets/{ticketId}',
    permission: 'writeTickets',
    params: TicketParams,
    body: TicketPatch,
    response: Ticket,
    errors: ['user_unknown', 'team_unknown'],
    emits: ['ticket_updated', 'ticket_assigned', 'ticket_status_changed'],
    summary: 'Change the given fields of a ticket',
    description:
      'Null clears the assignee and the team. Custom fields are merged by key. Any status may follow any.',
  },
  {
    read: ({ account, params, body }) => readForPatch(account, params.ticketId, body),
    provisional: {},
    once: async ({ account, now, principal }, { succession }) => ({
      given: await takeSuccession(account, succession, { now, actor: principal.actor.user }),
    }),
    decide: async (request, { ticket, change, definitions, succession }, { given }) => {
      const { now, principal, accountRecord } = request;
      const by = { now, actor: principal.actor.user };
      const changed = changeTicket(ticket, withSuccessor(change, succession, given, by), {
        ...by,
        policy: await policyFor(ticket, accountRecord),
        present: policyOf(accountRecord),
        definitions,
      });
      return {
        response: showTicket(changed.after, request),
        writes: tickets.change(changed),
        events: ticketEvents(changed),
      };
    },
  },
);
