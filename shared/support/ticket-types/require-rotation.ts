import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { ticketRotations } from '../ticket-rotations/store.ts';

/** Throws `rotation_unknown` if the account has no ticket rotation with this id. Inactive rotations are accepted. */
export async function requireRotation(
  account: AccountId,
  reference: string | null | undefined,
): Promise<void> {
  if (reference === undefined || reference === null) return;
  if (await ticketRotations.findByReference(account, reference)) return;
  throw invalid('rotationId', 'is not a ticket rotation of this account', 'rotation_unknown');
}
