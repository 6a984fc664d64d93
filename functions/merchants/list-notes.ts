import { listing } from '../../shared/http/listing.ts';
import { listedUnder } from '../../shared/merchants/list-children.ts';
import { MerchantParams } from '../../shared/merchants/schema.ts';
import { Note } from '../../shared/notes/schema.ts';
import { notes } from '../../shared/notes/store.ts';

export default listing(
  {
    path: '/merchants/{merchantId}/notes',
    permission: 'readMerchants',
    params: MerchantParams,
    item: Note,
    timeField: 'date',
    filters: ['type', 'visibility', 'author'],
    sorts: ['date', 'updatedAt', 'type', 'visibility', 'author'],
    searchable: ['content', 'author'],
    summary: 'List the notes about a merchant',
  },
  ({ account, params }) => listedUnder(account, params.merchantId, notes),
);
