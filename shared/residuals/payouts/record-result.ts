import { ApiError, notFound } from '../../errors.ts';
import type { Effects } from '../../events/envelope.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { type Balances, balanceWrites } from '../runs/month-sums.ts';
import type { StoredStatement } from '../statements/schema.ts';
import { paymentsReturned, payoutChanged } from './events.ts';
import { closeStatement, reopenStatement } from './reopen-statements.ts';
import type { PaymentResultInput } from './schema.ts';
import { payouts, type StoredPayment, type StoredPayout } from './store.ts';

/** Returns a payment of a payout. Throws `not_found`. */
export function paymentIn({ id, entries }: StoredPayout, n: number): StoredPayment {
  const found = entries.find((entry) => entry.n === n);
  if (!found) throw notFound('payment', `${id}/${n}`);
  return found;
}

/** Returns a payout in which one payment is replaced, with its sums. Returns the same object if nothing changed. */
export function withPayment(payout: StoredPayout, changed: StoredPayment, request: Authored): StoredPayout {
  const entries = payout.entries.map((entry) => (entry.n === changed.n ? changed : entry));
  const returned = entries.filter(({ result }) => result === 'returned');
  return revise(
    payout,
    {
      entries,
      returned: returned.length,
      returnedTotal: returned.reduce((sum, { amount }) => sum + amount, 0),
    },
    request,
  );
}

/** Returns a payment that the bank returned. */
export const returnedPayment = (
  { code: _, note: __, ...payment }: StoredPayment,
  { code, note }: { code?: string; note?: string },
): StoredPayment => ({
  ...payment,
  result: 'returned',
  ...(code !== undefined && { code }),
  ...(note && { note }),
});

/**
 * Records the result of a payment by hand. A returned payment reopens its statement; see `reopenStatement`. A payment that was
 * wrongly recorded as returned can become paid, unless another payout has paid the statement. Throws `payout_not_sent` and
 * `statement_paid_again`.
 */
export function recordResult(
  payout: StoredPayout,
  { n, ...input }: PaymentResultInput & { n: number },
  { statement, balances }: { statement: StoredStatement; balances: Balances },
  request: Authored,
): Effects & { payout: StoredPayout } {
  if (payout.state !== 'downloaded') throw new ApiError('payout_not_sent');
  const payment = paymentIn(payout, n);
  const { code: _, note: __, ...rest } = payment;
  const changed: StoredPayment =
    input.result === 'returned'
      ? returnedPayment(payment, input)
      : { ...rest, result: 'paid', ...(input.note && { note: input.note }) };
  const after = withPayment(payout, changed, request);
  if (after === payout) return { payout, writes: [], events: [] };
  const isReturn = changed.result === 'returned' && payment.result !== 'returned';
  const moves = (payment.result === 'returned') !== (changed.result === 'returned');
  if (moves && !isPaidBy(payout, statement)) throw new ApiError('statement_paid_again');
  const writes = payouts.replace(payout, after);
  if (isReturn) writes.push(...reopenStatement(statement, { state: 'returned' }, balances, request));
  else if (moves) writes.push(...closeStatement(statement, balances, request));
  return {
    payout: after,
    writes: [...writes, ...balanceWrites(statement.accountId, balances)],
    events: isReturn ? paymentsReturned(after, [changed]) : payoutChanged('payout_result_recorded', after),
  };
}

/** Reports whether a payout is the last one that paid a statement, and no reversal has withdrawn the unpaid statement since. */
export const isPaidBy = (
  { id }: Pick<StoredPayout, 'id'>,
  { payoutId, state, reversalId }: Pick<StoredStatement, 'payoutId' | 'state' | 'reversalId'>,
): boolean => payoutId === id && (state !== 'withdrawn' || reversalId !== undefined);
