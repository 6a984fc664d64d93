import { childAccounts } from '../../shared/child-accounts/children.ts';
import { ChildAccount } from '../../shared/child-accounts/schema.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/accounts/children',
    administratorOnly: true,
    item: ChildAccount,
    fields: { name: ['search'], accountTypeId: ['filter'], createdAt: ['sort'] },
    shortList: { order: ['createdAt'] },
    summary: 'List the child accounts of the account in x-account-id',
  },
  ({ account }) => childAccounts.listOf(account),
);
