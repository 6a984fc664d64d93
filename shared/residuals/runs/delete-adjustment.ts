import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Write } from '../../table/operations.ts';
import type { Adjustment } from '../adjustments/schema.ts';
import { residualAdjustments } from '../adjustments/store.ts';
import { type Book, residualBooks } from './store.ts';

/** What the deletion of an adjustment depends on. Throws `not_found`. */
export async function readForDeletion(
  account: AccountId,
  id: number,
): Promise<{ adjustment: Adjustment; book: Book }> {
  const adjustment = await residualAdjustments.get(account, id);
  return { adjustment, book: await residualBooks.of(account, adjustment.month) };
}

/**
 * Returns the writes that delete an adjustment. They also change the book of the month, so that no run that has the adjustment
 * starts to be posted at the same time. Throws `adjustment_used` and `residual_run_open`.
 */
export function deleteAdjustment(
  { adjustment, book }: { adjustment: Adjustment; book: Book },
  now: Date,
): Write[] {
  // An advance whose run was reversed is on no statement. Later statements may still have recovered parts of it.
  const isRecovered = Object.values(adjustment.recovered ?? {}).some((amount) => amount !== 0);
  if (adjustment.state === 'used' || isRecovered) throw new ApiError('adjustment_used');
  if (book.busyWith !== undefined) throw new ApiError('residual_run_open');
  const { accountId, month } = adjustment;
  return [
    ...residualAdjustments.delete(adjustment, now),
    residualBooks.replace(accountId, month, book, { posted: book.posted }),
  ];
}
