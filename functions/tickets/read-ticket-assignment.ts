import { endpoint } from '../../shared/http/endpoint.ts';
import { TicketAssignment } from '../../shared/tickets/assignment-schema.ts';
import { explainAssignment } from '../../shared/tickets/explain-assignment.ts';
import { readTicket } from '../../shared/tickets/read-ticket.ts';
import { TicketParams } from '../../shared/tickets/schema.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/tickets/{ticketId}/assignment',
    permission: 'readTickets',
    params: TicketParams,
    response: TicketAssignment,
    summary: 'Explain who has a ticket',
    description:
      'Who gave it to them and how; for a turn of a rotation, the sequence that it went by and who was skipped.',
  },
  {
    read: ({ account, params }) => readTicket(account, params.ticketId),
    decide: (_, ticket) => ({ response: explainAssignment(ticket) }),
  },
);
