import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { boardApplication } from '../../shared/sales/external-api/board-application.ts';
import { merchantUpdated } from '../../shared/sales/merchants/event-fields.ts';
import { merchantWarnings } from '../../shared/sales/merchants/merchant-warnings.ts';
import { changeMerchant } from '../../shared/sales/merchants/new-merchant.ts';
import { merchantAsRead } from '../../shared/sales/merchants/read-children.ts';
import {
  Merchant,
  MerchantDetails,
  MerchantParams,
  MerchantPatch,
  MerchantWarnings,
} from '../../shared/sales/merchants/schema.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import { object, optional } from '../../shared/schema.ts';
import { mayReach } from '../../shared/security/reach.ts';

export default endpoint({
  method: 'PUT',
  path: '/merchants/{merchantId}',
  permission: 'writeMerchants',
  reach: 'merchant',
  sensitive: true,
  params: MerchantParams,
  body: MerchantPatch,
  response: object({ ...Merchant.properties, warnings: optional(MerchantWarnings) }),
  record: MerchantDetails,
  emits: ['merchant_updated', 'extapi_status_change'],
  summary: 'Change the given fields of a merchant',
  description:
    'An array replaces the stored array, an object is merged with the stored object, and null clears a field. REDACTED keeps the stored sensitive value. In `rates`, an object sets the row of one day, and an array sets the sent rows and removes all other rows. `warnings` is present if the caller may read the merchant.',
  read: (input) => reached(input, 'merchant', merchants.get(input.account, input.params.merchantId)),
  decide: async (request, before) => {
    await request.checkReadOnly(() => merchantAsRead(before, request.principal));
    const after = await changeMerchant(before, request.body, request);
    // Without permission to read the merchant, a warning would show whether a stored value is valid.
    const mayRead = mayReach(request.principal, 'merchant', 'read', before);
    const boarded = await boardApplication(before, after, request);
    return {
      response: { ...merchants.show(after), ...(mayRead && { warnings: merchantWarnings(after) }) },
      writes: [...merchants.replace(before, after), ...boarded.writes],
      events: [...merchantUpdated(before, after), ...boarded.events],
    };
  },
});
