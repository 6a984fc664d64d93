import { applyNotice, authenticateNotice } from '../../shared/billing/provider/receive-notice.ts';
import {
  ProviderNotice,
  ProviderNoticeParams,
  ProviderNoticeResult,
} from '../../shared/billing/provider/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/billing/provider/{accountId}/notifications',
  access: 'public',
  signedBody: authenticateNotice,
  params: ProviderNoticeParams,
  body: ProviderNotice,
  response: ProviderNoticeResult,
  success: 'accepted',
  errors: ['not_authenticated', 'account_closed'],
  emits: ['payment_received', 'payment_failed', 'refund_issued'],
  happenings: ['unmatched_payment_created'],
  noDryRun: 'Only the payment provider sends these requests.',
  summary: 'Receive a notification of the payment provider',
  description:
    'For the payment provider. The request is signed with the secret of the provider (Standard Webhooks), at most five minutes ago. `type` is payment.received, payment.failed, payment.refunded, or payment.returned, whose amount is to be paid again. A notification that fits no invoice is stored as an unmatched payment. Card numbers are stored with their last four digits only. An id that was accepted in the last seven days has no further effect.',
  decide: async ({ params, body, headers, rawBody, now, deadline }) => {
    const sent = { account: params.accountId, headers, rawBody, now, deadline };
    return applyNotice(await authenticateNotice(sent), body, now);
  },
});
