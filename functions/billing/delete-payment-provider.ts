import { providerChanged } from '../../shared/billing/provider/events.ts';
import { showProvider } from '../../shared/billing/provider/save-provider.ts';
import { PaymentProvider } from '../../shared/billing/provider/schema.ts';
import { providers } from '../../shared/billing/provider/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'DELETE',
  path: '/billing/provider',
  permission: 'writeInvoices',
  response: PaymentProvider,
  errors: ['not_found'],
  happenings: ['payment_provider_deleted'],
  destructive: true,
  summary: 'Delete the payment provider',
  description: 'Its notifications are rejected from now on. Recorded payments and unmatched payments remain.',
  read: ({ account }) => providers.get(account),
  decide: ({ now }, provider) => ({
    response: showProvider(provider, now),
    writes: providers.delete(provider),
    events: providerChanged('payment_provider_deleted', provider),
  }),
});
