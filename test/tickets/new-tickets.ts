import createTicketRotation from '../../functions/ticket-rotations/create-ticket-rotation.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import type { Static } from '../../shared/schema.ts';
import type { TicketTypeInput } from '../../shared/support/ticket-types/schema.ts';
import type { Ticket, TicketInput } from '../../shared/support/tickets/schema.ts';
import type { CallResponse } from '../harness/call.ts';
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

export const typeInput = { name: 'Fault', description: 'It takes no cards', category: 'technical' } as const;

export const newTypeOf = (by: Client, fields: Partial<Static<typeof TicketTypeInput>> = {}) =>
  by.ok(createTicketType, { body: { ...typeInput, ...fields } });

/** Creates a rotation with these members, each of weight 1. `fields` takes precedence. */
export const newRotationOf = (by: Client, userIds: readonly (number | string)[], fields: object = {}) => {
  const userRotationArray = userIds.map((userId) => ({ userId: String(userId), weight: 1 }));
  return by.ok(createTicketRotation, { body: { name: 'Desk', userRotationArray, ...fields } });
};

/**
 * Returns the status of a response. After an error, also returns the first faulty field, or the error code if
 * no field is faulty.
 */
export const outcome = async (response: ReturnType<Client['call']>) => {
  const { status, body } = await response;
  return status < 400 ? status : `${status} ${body.details?.[0]?.field ?? body.error}`;
};

/** Returns the status, error code and faulty fields of a response. */
export const faultOf = ({
  status,
  body,
}: CallResponse<{ error?: string; details?: { field: string }[] }>) => [
  status,
  body.error,
  ...(body.details ?? []).map(({ field }) => field),
];
