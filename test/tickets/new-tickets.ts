import createTicket from '../../functions/tickets/create-ticket.ts';
import type { Ticket, TicketInput } from '../../shared/support/tickets/schema.ts';
import type { Client } from '../harness/tenant.ts';

/** A ticket of an external requester with the required fields. */
export const ticketInput = {
  subject: 'The terminal does not print',
  description: 'Since this morning no receipt comes out.',
  category: 'technical',
  requesterType: 'external',
  requesterId: 'customer-4711',
  requesterName: 'Ada Byron',
  requesterEmail: 'ada@example.com',
} as const satisfies TicketInput;

export const newTicketOf = (by: Client, fields: Partial<TicketInput> = {}): Promise<Ticket> =>
  by.ok(createTicket, { body: { ...ticketInput, ...fields } });

/** Sends a creation with any fields, valid or not. */
export const sendTicket = (by: Client, fields: object = {}, headers: Record<string, string> = {}) =>
  by.call(createTicket, { rawBody: JSON.stringify({ ...ticketInput, ...fields }), headers });
