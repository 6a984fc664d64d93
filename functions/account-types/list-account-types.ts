import { AccountType } from '../../shared/child-accounts/schema.ts';
import { accountTypes } from '../../shared/child-accounts/store.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/account-types',
    administratorOnly: true,
    item: AccountType,
    filters: ['name'],
    sorts: ['createdAt', 'updatedAt', 'name'],
    searchable: ['name'],
    summary: 'List account types',
  },
  ({ account }) => accountTypes.listOf(account, []),
);
