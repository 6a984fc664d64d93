import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { Happening } from '../../resources/registry.ts';
import type { UnmatchedPayment } from './schema.ts';
import type { StoredProvider } from './store.ts';

/** Returns the event of a change of the payment provider. */
export const providerChanged = (
  happening: Extract<Happening, `payment_provider_${string}`>,
  provider: StoredProvider,
): EventDraft[] => {
  const { accountId, name, active } = provider;
  return unnamedChange(accountId, happening, provider, { name, active });
};

/** Returns the event of a new or removed unmatched payment. */
export const unmatchedPaymentChanged = (
  happening: 'unmatched_payment_created' | 'unmatched_payment_deleted',
  payment: UnmatchedPayment,
): EventDraft[] => unnamedChange(payment.accountId, happening, payment, detailOf(payment));

/** Returns the event of an unmatched payment that was applied to an invoice. */
export const unmatchedPaymentAssigned = (payment: UnmatchedPayment, invoiceId: number): EventDraft[] =>
  unnamedChange(payment.accountId, 'unmatched_payment_assigned', payment, {
    ...detailOf(payment),
    invoiceId,
  });

const detailOf = ({ notice, reason, invoiceNumber, amount, currency, reference }: UnmatchedPayment) => ({
  ...{ notice, reason, invoiceNumber, amount, currency, reference },
});
