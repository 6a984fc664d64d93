import { listing } from '../../shared/endpoints/listing.ts';
import { shownChildListOf } from '../../shared/sales/merchants/list-children.ts';
import { MerchantParams } from '../../shared/sales/merchants/schema.ts';
import { Note } from '../../shared/sales/notes/schema.ts';
import { notes } from '../../shared/sales/notes/store.ts';

export default listing(
  {
    path: '/merchants/{merchantId}/notes',
    permission: 'readMerchants',
    reach: 'merchant',
    params: MerchantParams,
    item: Note,
    timeField: 'date',
    fields: {
      date: ['sort'],
      content: ['search'],
      updatedAt: ['sort'],
      type: ['filter', 'sort'],
      visibility: ['filter', 'sort'],
      author: ['filter', 'search', 'sort'],
    },
    summary: 'List the notes of a merchant',
  },
  (input) => shownChildListOf(input, input.params.merchantId, notes),
);
