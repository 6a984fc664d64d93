import { unmatchedPaymentChanged } from '../../shared/billing/provider/events.ts';
import { UnmatchedParams, UnmatchedPayment } from '../../shared/billing/provider/schema.ts';
import { unmatchedPayments } from '../../shared/billing/provider/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'DELETE',
  path: '/billing/unmatched-payments/{unmatchedId}',
  permission: 'writeInvoices',
  params: UnmatchedParams,
  response: UnmatchedPayment,
  happenings: ['unmatched_payment_deleted'],
  summary: 'Remove an unmatched payment from the list',
  description: 'For payments that were recorded by hand, or that are no concern of the account.',
  read: ({ account, params }) => unmatchedPayments.get(account, params.unmatchedId),
  decide: ({ now }, payment) => ({
    response: payment,
    writes: unmatchedPayments.delete(payment, now),
    events: unmatchedPaymentChanged('unmatched_payment_deleted', payment),
  }),
});
