import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { StoredTicketType } from './schema.ts';
import { ticketTypes } from './store.ts';

export function knownTicketType(field: string, type: StoredTicketType | undefined): StoredTicketType {
  if (type) return type;
  throw invalid(field, 'is not a ticket type of this account', 'ticket_type_unknown');
}

/** Returns the referenced ticket type, even if it is inactive. Throws `ticket_type_unknown`. */
export const requireTicketType = async (
  account: AccountId,
  field: string,
  reference: string,
): Promise<StoredTicketType> => knownTicketType(field, await ticketTypes.findByReference(account, reference));
