import { BankAccount } from '../../shared/billing/bank-accounts/schema.ts';
import { bankAccounts } from '../../shared/billing/bank-accounts/store.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/billing/bank-accounts',
    permission: 'readInvoices',
    item: BankAccount,
    fields: {
      id: ['search'],
      createdAt: ['sort'],
      updatedAt: ['sort'],
      name: ['filter', 'search', 'sort'],
      currency: ['filter'],
    },
    summary: 'List bank accounts',
  },
  ({ account }) => bankAccounts.listOf(account),
);
