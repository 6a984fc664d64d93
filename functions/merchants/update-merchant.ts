import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { merchantUpdated } from '../../shared/sales/merchants/event-fields.ts';
import { changeMerchant } from '../../shared/sales/merchants/new-merchant.ts';
import { merchantAsRead } from '../../shared/sales/merchants/read-children.ts';
import {
  Merchant,
  MerchantDetails,
  MerchantParams,
  MerchantPatch,
} from '../../shared/sales/merchants/schema.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';

export default endpoint({
  method: 'PUT',
  path: '/merchants/{merchantId}',
  permission: 'writeMerchants',
  sensitive: true,
  params: MerchantParams,
  body: MerchantPatch,
  response: Merchant,
  record: MerchantDetails,
  emits: ['merchant_updated'],
  summary: 'Change the given fields of a merchant',
  description:
    'An array replaces the stored array, an object is merged with the stored object, and null clears a field. REDACTED keeps the stored sensitive value. In `rates`, an object sets the row of one day, and an array sets the sent rows and removes all other rows.',
  read: ({ account, params }) => merchants.get(account, params.merchantId),
  decide: async (request, before) => {
    await request.checkReadOnly(() => merchantAsRead(before, request.principal));
    const after = await changeMerchant(before, request.body, request);
    return {
      response: merchants.show(after),
      writes: merchants.replace(before, after),
      events: merchantUpdated(before, after),
    };
  },
});
