import { UnmatchedParams, UnmatchedPayment } from '../../shared/billing/provider/schema.ts';
import { unmatchedPayments } from '../../shared/billing/provider/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { unnamedChange } from '../../shared/events/unnamed-change.ts';

export default endpoint({
  method: 'DELETE',
  path: '/billing/unmatched-payments/{unmatchedId}',
  permission: 'writeInvoices',
  params: UnmatchedParams,
  response: UnmatchedPayment,
  emits: ['no_event_name'],
  summary: 'Remove an unmatched payment from the list',
  description: 'For payments that were recorded by hand, or that are no concern of the account.',
  read: ({ account, params }) => unmatchedPayments.get(account, params.unmatchedId),
  decide: ({ account, now }, payment) => ({
    response: payment,
    writes: unmatchedPayments.delete(payment, now),
    events: unnamedChange(account, 'unmatched_payment', 'deleted', payment),
  }),
});
