import { listing } from '../../shared/endpoints/listing.ts';
import { Equipment } from '../../shared/sales/equipment/schema.ts';
import { equipment } from '../../shared/sales/equipment/store.ts';
import { shownChildListOf } from '../../shared/sales/merchants/list-children.ts';
import { MerchantParams } from '../../shared/sales/merchants/schema.ts';

export default listing(
  {
    path: '/merchants/{merchantId}/equipment',
    permission: 'readMerchants',
    reach: 'merchant',
    params: MerchantParams,
    item: Equipment,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      type: ['filter', 'search', 'sort'],
      model: ['filter', 'search', 'sort'],
      serialNumber: ['filter', 'search', 'sort'],
      status: ['filter', 'sort'],
      deployedDate: ['sort'],
      returnedDate: ['sort'],
    },
    summary: 'List the equipment of a merchant',
  },
  (input) => shownChildListOf(input, input.params.merchantId, equipment),
);
