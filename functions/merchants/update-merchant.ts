import { endpoint } from '../../shared/http/endpoint.ts';
import { merchantUpdated } from '../../shared/merchants/events.ts';
import { changeMerchant } from '../../shared/merchants/new-merchant.ts';
import { Merchant, MerchantParams, MerchantPatch } from '../../shared/merchants/schema.ts';
import { sendsSensitive } from '../../shared/merchants/seal-merchant.ts';
import { merchants } from '../../shared/merchants/store.ts';

export default endpoint(
  {
    method: 'PUT',
    path: '/merchants/{merchantId}',
    permission: 'writeMerchants',
    sensitive: true,
    params: MerchantParams,
    body: MerchantPatch,
    response: Merchant,
    emits: ['merchant_updated'],
    summary: 'Change what the body names of a merchant',
    description:
      'Arrays replace, objects merge, null clears. REDACTED keeps the sensitive value there is. What GET shows of principals, addresses, banking, processing, compliance and riskMetrics may be sent back as it is.',
  },
  {
    read: ({ account, params }) => merchants.get(account, params.merchantId),
    once: async ({ body, dataKeys }) => {
      if (sendsSensitive(body)) await dataKeys();
    },
    foretell: async () => undefined,
    decide: async (request, before) => {
      const after = await changeMerchant(before, request.body, request);
      return {
        response: merchants.show(after),
        writes: merchants.replace(before, after),
        events: merchantUpdated(before, after),
      };
    },
  },
);
