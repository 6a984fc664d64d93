import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { asUniqueRecordId } from '../id/unique-id.ts';
import { isTombstone } from '../table/item.ts';
import { type ListedNoun, recordKey } from '../table/keys.ts';
import { getItem } from '../table/read.ts';

const ticketRotations: ListedNoun = 'TICKETROTATION';

/**
 * Throws `rotation_unknown` unless the account has a ticket rotation that this names, active or not. No reference names
 * none, and passes.
 */
export async function requireRotation(account: AccountId, reference: string | undefined): Promise<void> {
  if (reference === undefined) return;
  const id = asUniqueRecordId('rot', reference);
  const found = id === undefined ? undefined : await getItem(recordKey(account, ticketRotations, id));
  if (!found || isTombstone(found))
    throw new ApiError('rotation_unknown', {
      details: [{ field: 'rotationId', message: 'names no ticket rotation of this account' }],
    });
}
