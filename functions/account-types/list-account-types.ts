import { AccountType } from '../../shared/child-accounts/schema.ts';
import { accountTypes } from '../../shared/child-accounts/store.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/account-types',
    administratorOnly: true,
    item: AccountType,
    fields: { createdAt: ['sort'], updatedAt: ['sort'], name: ['filter', 'search', 'sort'] },
    summary: 'List account types',
  },
  ({ account }) => accountTypes.listOf(account, []),
);
