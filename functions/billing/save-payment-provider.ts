import { saveProvider, showProvider } from '../../shared/billing/provider/save-provider.ts';
import {
  PaymentProvider,
  PaymentProviderInput,
  SavedPaymentProvider,
} from '../../shared/billing/provider/schema.ts';
import { providers } from '../../shared/billing/provider/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'PUT',
  path: '/billing/provider',
  permission: 'writeInvoices',
  proof: 'secrets',
  sensitive: true,
  body: PaymentProviderInput,
  response: SavedPaymentProvider,
  record: PaymentProvider,
  happenings: ['payment_provider_created', 'payment_provider_updated'],
  summary: 'Create or change the payment provider',
  description:
    'An account has at most one payment provider. The response contains the secret only if the request created the provider. The provider sends signed notifications to `/billing/provider/{accountId}/notifications`.',
  read: ({ account }) => providers.find(account),
  decide: async (request, before) => {
    await request.checkReadOnly(() => before && showProvider(before, request.now));
    const { after, secret, writes, events } = await saveProvider(request, before);
    return { response: { ...showProvider(after, request.now), ...(secret && { secret }) }, writes, events };
  },
});
