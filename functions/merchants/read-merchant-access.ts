import { reached } from '../../shared/endpoints/reached.ts';
import { accessEndpoint } from '../../shared/people/record-access/access-endpoint.ts';
import { MerchantParams } from '../../shared/sales/merchants/schema.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';

export default accessEndpoint({
  type: 'merchant',
  path: '/merchants/{merchantId}',
  params: MerchantParams,
  read: (input, { merchantId }) => reached(input, 'merchant', merchants.get(input.account, merchantId)),
});
