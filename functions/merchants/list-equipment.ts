import { listing } from '../../shared/endpoints/listing.ts';
import { Equipment } from '../../shared/sales/equipment/schema.ts';
import { equipment } from '../../shared/sales/equipment/store.ts';
import { shownChildListOf } from '../../shared/sales/merchants/list-children.ts';
import { MerchantParams } from '../../shared/sales/merchants/schema.ts';

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
  ({ account, params }) => shownChildListOf(account, params.merchantId, equipment),
);
