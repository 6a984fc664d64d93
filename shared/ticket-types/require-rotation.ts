import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { asUniqueRecordId } from '../id/unique-id.ts';
import { ticketRotations } from '../ticket-rotations/store.ts';

/**
 * Throws `rotation_unknown` unless the account has a ticket rotation that this names, active or not. No reference names
 * none, and passes.
 */
export async function requireRotation(account: AccountId, reference: string | undefined): Promise<void> {
  if (reference === undefined) return;
  const id = asUniqueRecordId('rot', reference);
  if (id !== undefined && (await ticketRotations.find(account, id))) return;
  throw new ApiError('rotation_unknown', {
    details: [{ field: 'rotationId', message: 'names no ticket rotation of this account' }],
  });
}
