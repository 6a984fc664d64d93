import createTicket from '../../functions/tickets/create-ticket.ts';
import type { Ticket, TicketInput } from '../../shared/support/tickets/schema.ts';
import type { Client } from '../harness/tenant.ts';

/** A ticket of somebody external: all that a creation needs. */
export const ticketInput = {
  subject: 'The terminal does not print',
  description: 'Since this morning no receipt comes out.',
  category: 'technical',
  requesterType: 'external',
  requesterId: 'customer-4711',
  requesterName: 'Ada Byron',
  requesterEmail: 'ada@example.com',
} as const satisfies TicketInput;

/** A new ticket of an account, by this client. */
export const newTicketOf = (by: Client, fields: Partial<TicketInput> = {}): Promise<Ticket> =>
  by.ok(createTicket, { body: { ...ticketInput, ...fields } });

/** The response to the creation of a ticket with these fields, whether they are what it takes or not. */
export const sendTicket = (by: Client, fields: object = {}, headers: Record<string, string> = {}) =>
  by.call(createTicket, { rawBody: JSON.stringify({ ...ticketInput, ...fields }), headers });
