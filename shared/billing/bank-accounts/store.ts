import type { AccountId } from '../../id/account-id.ts';
import { recordStore } from '../../table/record-store.ts';
import { scopedBy } from '../../table/scope.ts';
import { type BankAccount, mostBankAccounts } from './schema.ts';

/** A bank account as stored. `listId` orders it in the list, because the caller chose the id. */
export interface StoredBankAccount extends BankAccount {
  listId: number;
}

const records = recordStore<StoredBankAccount, 'bank_account'>({
  resource: 'bank_account',
  idFrom: (text) => text,
  scope: scopedBy(() => [], mostBankAccounts),
});

export const showBankAccount = ({ listId, ...shown }: StoredBankAccount): BankAccount => shown;

/** The bank accounts of an account. An insert throws `quota_exceeded` above 100. */
export const bankAccounts = {
  ...records,

  /** Returns the bank account that a request names, if it is stored. */
  findNamed: async (account: AccountId, id: string | undefined): Promise<StoredBankAccount | undefined> =>
    id === undefined ? undefined : records.find(account, id),

  listOf: (account: AccountId) => ({
    ...records.listOf(account, []),
    show: async (page: StoredBankAccount[]) => page.map(showBankAccount),
  }),

  /** Leaves no tombstone, because the id of a deleted bank account can be used again. */
  delete: records.hardDelete,
};
