import { accessEndpoint } from '../../shared/people/record-access/access-endpoint.ts';
import { MerchantParams } from '../../shared/sales/merchants/schema.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';

export default accessEndpoint({
  type: 'merchant',
  path: '/merchants/{merchantId}',
  params: MerchantParams,
  get: (account, { merchantId }) => merchants.get(account, merchantId),
  idIn: ({ merchantId }) => merchantId,
});
