import { Equipment } from '../../shared/equipment/schema.ts';
import { equipment } from '../../shared/equipment/store.ts';
import { listing } from '../../shared/http/listing.ts';
import { listedUnder } from '../../shared/merchants/list-children.ts';
import { MerchantParams } from '../../shared/merchants/schema.ts';

export default listing(
  {
    path: '/merchants/{merchantId}/equipment',
    permission: 'readMerchants',
    params: MerchantParams,
    item: Equipment,
    filters: ['type', 'model', 'serialNumber', 'status'],
    sorts: [
      'createdAt',
      'updatedAt',
      'type',
      'model',
      'serialNumber',
      'status',
      'deployedDate',
      'returnedDate',
    ],
    searchable: ['type', 'model', 'serialNumber'],
    summary: 'List the equipment of a merchant',
  },
  ({ account, params }) => listedUnder(account, params.merchantId, equipment),
);
