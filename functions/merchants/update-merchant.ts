import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { boardApplication } from '../../shared/sales/external-api/board-application.ts';
import { merchantUpdated } from '../../shared/sales/merchants/event-fields.ts';
import { changeMerchant } from '../../shared/sales/merchants/new-merchant.ts';
import { merchantAsRead } from '../../shared/sales/merchants/read-children.ts';
import {
  ChangedMerchant,
  MerchantDetails,
  MerchantParams,
  MerchantPatch,
} from '../../shared/sales/merchants/schema.ts';
import { showChangedMerchant } from '../../shared/sales/merchants/show-merchant.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';

export default endpoint({
  method: 'PUT',
  path: '/merchants/{merchantId}',
  permission: 'writeMerchants',
  reach: 'merchant',
  proof: [{ purpose: 'bank_data', ifBody: ['banking.accountNumber', 'banking.routingNumber'] }],
  sensitive: true,
  params: MerchantParams,
  body: MerchantPatch,
  response: ChangedMerchant,
  record: MerchantDetails,
  emits: ['merchant_updated', 'extapi_status_change'],
  summary: 'Change the given fields of a merchant',
  description:
    'An array replaces the stored array, an object is merged with the stored object, and null clears a field. REDACTED keeps the stored sensitive value. In `rates`, an object sets the row of one day, and an array sets the sent rows and removes all other rows. `warnings` is present if the caller may read the merchant.',
  read: (input) => reached(input, 'merchant', merchants.get(input.account, input.params.merchantId)),
  decide: async (request, before) => {
    await request.checkReadOnly(() => merchantAsRead(before, request.principal));
    const after = await changeMerchant(before, request.body, request);
    const boarded = await boardApplication(before, after, request);
    return {
      response: showChangedMerchant(after, request),
      writes: [...merchants.replace(before, after), ...boarded.writes],
      events: [...merchantUpdated(before, after), ...boarded.events],
    };
  },
});
