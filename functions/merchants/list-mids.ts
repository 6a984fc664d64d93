import { listing } from '../../shared/http/listing.ts';
import { underMerchant } from '../../shared/merchants/list-children.ts';
import { MerchantParams } from '../../shared/merchants/schema.ts';
import { Mid } from '../../shared/mids/schema.ts';
import { mids } from '../../shared/mids/store.ts';

export default listing(
  {
    path: '/merchants/{merchantId}/mids',
    permission: 'readMerchants',
    params: MerchantParams,
    item: Mid,
    filters: ['mid', 'status'],
    sorts: ['createdAt', 'updatedAt', 'mid', 'status'],
    searchable: ['mid'],
    summary: 'List the MIDs of a merchant',
  },
  ({ account, params }) => underMerchant(account, params.merchantId, mids.listIn(account, params.merchantId)),
);
