import type { AccountId } from '../../id/account-id.ts';
import type { SignedIn } from '../../security/principal.ts';
import { hidesReference, holdsPartOf } from '../../security/reach.ts';
import type { Mid } from '../mids/schema.ts';
import { merchants } from './store.ts';

/**
 * Returns the MIDs without those that are hidden from the caller. A MID is hidden with its merchant. The merchants are read
 * only for a caller whose permission is limited to some of them.
 */
export async function shownMids<M extends Pick<Mid, 'merchantId'>>(
  principal: SignedIn,
  account: AccountId,
  found: readonly M[],
): Promise<readonly M[]> {
  const isLimited = !principal.permissions.has('readMerchants') && holdsPartOf(principal, 'readMerchants');
  if (!isLimited || found.length === 0) return found;
  const ids = new Set(found.map(({ merchantId }) => merchantId));
  const owners = await merchants.findMany(account, [...ids]);
  const shown = owners.filter((merchant) => !hidesReference(principal, 'merchant', merchant));
  return found.filter(({ merchantId }) => shown.some(({ id }) => id === merchantId));
}
