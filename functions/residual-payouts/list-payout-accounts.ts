import { listing } from '../../shared/endpoints/listing.ts';
import { ListedPayoutAccount } from '../../shared/residuals/payout-accounts/schema.ts';
import { payoutAccounts } from '../../shared/residuals/payout-accounts/store.ts';

export default listing(
  {
    path: '/payout-accounts',
    permission: 'payResiduals',
    item: ListedPayoutAccount,
    fields: {
      id: ['search'],
      createdAt: ['sort'],
      updatedAt: ['sort'],
      holderName: ['filter', 'search', 'sort'],
      holderType: ['filter'],
    },
    summary: 'List the bank accounts of beneficiaries',
  },
  ({ account }) => payoutAccounts.listOf(account),
);
