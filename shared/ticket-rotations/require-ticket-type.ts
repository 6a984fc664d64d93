import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { asUniqueRecordId } from '../id/unique-id.ts';
import { isTombstone } from '../table/item.ts';
import { type ListedNoun, recordKey } from '../table/keys.ts';
import { getItem } from '../table/read.ts';

const ticketTypes: ListedNoun = 'TICKETTYPE';

/**
 * Throws `ticket_type_unknown` unless the account has a ticket type that this names, active or not. No reference names
 * none, and passes.
 */
export async function requireTicketType(
  account: AccountId,
  reference: string | null | undefined,
): Promise<void> {
  if (reference === undefined || reference === null) return;
  const id = asUniqueRecordId('tty', reference);
  const found = id === undefined ? undefined : await getItem(recordKey(account, ticketTypes, id));
  if (!found || isTombstone(found))
    throw new ApiError('ticket_type_unknown', {
      details: [{ field: 'ticketTypeId', message: 'names no ticket type of this account' }],
    });
}
