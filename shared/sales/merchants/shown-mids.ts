import type { AccountId } from '../../id/account-id.ts';
import type { SignedIn } from '../../security/principal.ts';
import { hides, hidesSome } from '../../security/reach.ts';
import type { Mid } from '../mids/schema.ts';
import { merchants } from './store.ts';

/**
 * Returns the MIDs without those that are hidden from the caller. A MID is hidden with its merchant. The merchants are read
 * only for a caller whose permission is limited to some of them. `wanted` is the number of MIDs that the request names,
 * which include unknown ones.
 */
export async function shownMids<M extends Pick<Mid, 'merchantId'>>(
  principal: SignedIn,
  account: AccountId,
  found: readonly M[],
  wanted: number,
): Promise<readonly M[]> {
  if (!hidesSome(principal, 'merchant') || wanted === 0) return found;
  const ids = new Set(found.map(({ merchantId }) => merchantId));
  const owners = await merchants.findMany(account, filledUp(ids, wanted));
  const shown = owners.filter((merchant) => !hides(principal, 'merchant', merchant));
  return found.filter(({ merchantId }) => shown.some(({ id }) => id === merchantId));
}

/**
 * Returns the ids of merchants, filled up to `wanted` with ids that no merchant has. A read for hidden MIDs then sends the
 * same requests as a read for unknown MIDs.
 */
export const filledUp = (ids: Iterable<number>, wanted: number): number[] => {
  const known = [...ids];
  return [...known, ...Array.from({ length: Math.max(0, wanted - known.length) }, (_, n) => -n)];
};
