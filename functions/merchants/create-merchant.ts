import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { requireOwnNew } from '../../shared/endpoints/reached.ts';
import { ownershipOf } from '../../shared/people/ownership/new-ownership.ts';
import { merchantCreated } from '../../shared/sales/merchants/event-fields.ts';
import { newMerchant } from '../../shared/sales/merchants/new-merchant.ts';
import { noChildren } from '../../shared/sales/merchants/read-children.ts';
import { MerchantDetails, MerchantInput } from '../../shared/sales/merchants/schema.ts';
import { showMerchant, showParts } from '../../shared/sales/merchants/show-merchant.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';

export default endpoint({
  method: 'POST',
  path: '/merchants',
  permission: 'writeMerchants',
  reach: 'merchant',
  sensitive: true,
  body: MerchantInput,
  response: MerchantDetails,
  success: 'created',
  emits: ['merchant_created'],
  summary: 'Create a merchant',
  description:
    'The owner is the user who sends the request, with the user’s team. Sensitive values are REDACTED in the response.',
  decide: async (request) => {
    const { principal } = request;
    const merchant = await newMerchant(request, request.body, ownershipOf(principal));
    requireOwnNew(principal, 'merchant', merchant);
    return {
      response: { ...showMerchant(merchant), ...showParts(merchant), ...noChildren },
      writes: merchants.insert(merchant),
      events: merchantCreated(merchant),
    };
  },
});
