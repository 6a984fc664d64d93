import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { explainSla, readLedger } from '../../shared/support/tickets/explain-sla.ts';
import { TicketParams } from '../../shared/support/tickets/schema.ts';
import { TicketSla } from '../../shared/support/tickets/sla-schema.ts';

export default endpoint({
  method: 'GET',
  path: '/tickets/{ticketId}/sla',
  permission: 'readTickets',
  reach: 'ticket',
  params: TicketParams,
  response: TicketSla,
  summary: 'Explain the SLA figures of a ticket',
  description:
    'Shows the SLA policy, every change of the clock, and the running, paused and closed intervals. Each figure is returned with the intervals from which it is computed.',
  read: (input) => readLedger(input, input.params.ticketId),
  decide: async ({ accountRecord, now }, ledger) => ({
    response: await explainSla(ledger, accountRecord, now),
  }),
});
