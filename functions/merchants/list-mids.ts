import { listing } from '../../shared/endpoints/listing.ts';
import { childListOf } from '../../shared/sales/merchants/list-children.ts';
import { MerchantParams } from '../../shared/sales/merchants/schema.ts';
import { Mid } from '../../shared/sales/mids/schema.ts';
import { mids } from '../../shared/sales/mids/store.ts';

export default listing(
  {
    path: '/merchants/{merchantId}/mids',
    permission: 'readMerchants',
    reach: 'merchant',
    params: MerchantParams,
    item: Mid,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      mid: ['filter', 'search', 'sort'],
      status: ['filter', 'sort'],
    },
    summary: 'List the MIDs of a merchant',
  },
  (input) => childListOf(input, input.params.merchantId, mids.listIn(input.account, input.params.merchantId)),
);
