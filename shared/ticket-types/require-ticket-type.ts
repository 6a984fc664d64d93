import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { ticketTypes } from './store.ts';

/**
 * Throws `ticket_type_unknown` unless the account has a ticket type that this names, active or not. No reference names
 * none, and passes.
 */
export async function requireTicketType(
  account: AccountId,
  reference: string | null | undefined,
): Promise<void> {
  if (reference === undefined || reference === null) return;
  if (await ticketTypes.findByReference(account, reference)) return;
  throw new ApiError('ticket_type_unknown', {
    details: [{ field: 'ticketTypeId', message: 'names no ticket type of this account' }],
  });
}
