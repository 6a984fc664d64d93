import { ApiError } from '../../errors.ts';
import type { Authored } from '../../table/revise.ts';
import type { Invoice } from '../schema.ts';
import { unmatchedPaymentAssigned } from './events.ts';
import { isOtherCurrency, noticeChange } from './receive-notice.ts';
import type { UnmatchedPayment } from './schema.ts';
import { unmatchedPayments } from './store.ts';

/**
 * Applies an unmatched payment to an invoice, and removes it from the list. Throws `payment_unusable` without an amount or
 * a reference, and for another currency.
 */
export function assignPayment(request: Authored, payment: UnmatchedPayment, before: Invoice) {
  const { currency, failure: reason, notice } = payment;
  if (isOtherCurrency(before, currency)) throw new ApiError('payment_unusable');
  const change = noticeChange(
    before,
    notice,
    { ...payment, ...(reason !== undefined && { reason }) },
    request,
  );
  if ('reason' in change) throw new ApiError('payment_unusable');
  return {
    response: change.after,
    writes: [...change.writes, ...unmatchedPayments.delete(payment, request.now)],
    events: [...change.events, ...unmatchedPaymentAssigned(payment, before.id)],
  };
}
