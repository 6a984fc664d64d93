import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { StoredTicketType } from './schema.ts';
import { ticketTypes } from './store.ts';

/** The ticket type that a field names. Throws `ticket_type_unknown` where there is none. */
export function knownTicketType(field: string, type: StoredTicketType | undefined): StoredTicketType {
  if (type) return type;
  throw invalid(field, 'names no ticket type of this account', 'ticket_type_unknown');
}

/** The same for a reference: the account's type, active or not. */
export const requireTicketType = async (
  account: AccountId,
  field: string,
  reference: string,
): Promise<StoredTicketType> => knownTicketType(field, await ticketTypes.findByReference(account, reference));
