import { BankAccount } from '../../shared/billing/bank-accounts/schema.ts';
import { bankAccounts } from '../../shared/billing/bank-accounts/store.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/billing/bank-accounts',
    permission: 'readInvoices',
    item: BankAccount,
    filters: ['name', 'currency'],
    sorts: ['createdAt', 'updatedAt', 'name'],
    searchable: ['id', 'name'],
    summary: 'List bank accounts',
  },
  ({ account }) => bankAccounts.listOf(account),
);
