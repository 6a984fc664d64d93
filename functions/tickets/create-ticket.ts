import { accountPolicy } from '../../shared/accounts/policy-of.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { fieldWarnings, warningsIn } from '../../shared/endpoints/field-warnings.ts';
import { requireOwnNew } from '../../shared/endpoints/reached.ts';
import { previewSlots } from '../../shared/rotations/slots.ts';
import { object } from '../../shared/schema.ts';
import { ticketCreated } from '../../shared/support/tickets/events.ts';
import { newTicket, readReferences, takeNumberAndTurn } from '../../shared/support/tickets/new-ticket.ts';
import { Ticket, TicketInput } from '../../shared/support/tickets/schema.ts';
import { showTicket } from '../../shared/support/tickets/show-ticket.ts';
import { tickets } from '../../shared/support/tickets/store.ts';

export default endpoint({
  method: 'POST',
  path: '/tickets',
  permission: 'writeTickets',
  reach: 'ticket',
  body: TicketInput,
  response: object({ ...Ticket.properties, warnings: fieldWarnings }),
  success: 'created',
  errors: ['ticket_type_unknown', 'ticket_type_inactive', 'user_unknown', 'team_unknown'],
  emits: ['ticket_created'],
  rights: ['emails:find'],
  summary: 'Create a ticket',
  description:
    'Name, email and phone are copied from the record that requesterType and requesterId identify. Send the values that are missing from the record. A caller that may not read the record must send name and email. If assignedTo is omitted and the ticket type enables auto-assignment, a rotation assigns the ticket. A caller whose permission is limited to some tickets creates only tickets among these; if assignedTo is omitted, the caller is the assignee, and no rotation is used.',
  read: ({ account, body }) => readReferences(account, body),
  decide: async (request, references) => {
    const read = await references.forCaller(request.principal);
    const { draft, warnings } = newTicket(request, references, read, accountPolicy(request.accountRecord));
    requireOwnNew(request.principal, 'ticket', draft.ticket);
    const taken = await request.runOnce(
      () => takeNumberAndTurn(request, references),
      () => takeNumberAndTurn(request, references, previewSlots()),
    );
    const ticket = { ...draft.ticket, ...taken };
    return {
      response: { ...showTicket(ticket, request), ...warningsIn(warnings) },
      writes: tickets.insert({ ...draft, ticket }),
      events: ticketCreated(ticket),
    };
  },
});
