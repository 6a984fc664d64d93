import { MailAddress } from '../../shared/correspondence/addresses/schema.ts';
import { mailAddresses } from '../../shared/correspondence/addresses/store.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/mail-addresses',
    administratorOnly: true,
    item: MailAddress,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      address: ['filter', 'search', 'sort'],
      name: ['search', 'sort'],
      purpose: ['filter'],
      teamId: ['filter'],
    },
    summary: 'List mail addresses',
  },
  ({ account }) => mailAddresses.listed(account),
);
