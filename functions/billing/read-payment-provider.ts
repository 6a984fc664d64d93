import { showProvider } from '../../shared/billing/provider/save-provider.ts';
import { PaymentProvider } from '../../shared/billing/provider/schema.ts';
import { providers } from '../../shared/billing/provider/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'GET',
  path: '/billing/provider',
  permission: 'readInvoices',
  response: PaymentProvider,
  errors: ['not_found'],
  summary: 'Read the payment provider',
  read: ({ account }) => providers.get(account),
  decide: ({ now }, provider) => ({ response: showProvider(provider, now) }),
});
