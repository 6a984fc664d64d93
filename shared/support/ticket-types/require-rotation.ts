import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { ticketRotations } from '../ticket-rotations/store.ts';

/**
 * Throws `rotation_unknown` unless the account has a ticket rotation that this names, active or not. No reference names
 * none, and passes.
 */
export async function requireRotation(
  account: AccountId,
  reference: string | null | undefined,
): Promise<void> {
  if (
    reference === undefined ||
    reference === null ||
    (await ticketRotations.findByReference(account, reference))
  )
    return;
  throw invalid('rotationId', 'names no ticket rotation of this account', 'rotation_unknown');
}
