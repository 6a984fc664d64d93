import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import type { Encrypted, Place } from '../../security/encrypted-value.ts';
import { REDACTED } from '../../security/merge-fields.ts';
import { recordStore } from '../../table/record-store.ts';
import { scopedBy } from '../../table/scope.ts';
import { mostPayoutAccounts, type PayoutAccount } from './schema.ts';

/** A payout account as stored. `listId` orders it in the list, because its id names the beneficiary. */
export interface StoredPayoutAccount extends Omit<PayoutAccount, 'accountNumber' | 'accountNumberLast4'> {
  listId: number;
  accountNumber: Encrypted;
}

/** The record and the field to which the encrypted account number is bound. */
export const placeInPayoutAccount = ({
  accountId,
  id,
}: Pick<StoredPayoutAccount, 'accountId' | 'id'>): Place => ({
  account: accountId,
  record: `payout_account:${id}`,
  field: 'accountNumber',
});

/** Returns the account number in plain text. */
export const decryptAccountNumber = (keys: DataKeys, stored: StoredPayoutAccount): Promise<string> =>
  keys.decrypt(placeInPayoutAccount(stored), stored.accountNumber.jwe);

/** Returns a payout account as the API shows it. Without `plain`, the account number is REDACTED. */
export function showPayoutAccount(
  { listId, accountNumber, ...shown }: StoredPayoutAccount,
  plain: string = REDACTED,
): PayoutAccount {
  const { last4 } = accountNumber;
  return { ...shown, accountNumber: plain, ...(last4 !== undefined && { accountNumberLast4: last4 }) };
}

const records = recordStore<StoredPayoutAccount, 'payout_account'>({
  resource: 'payout_account',
  idFrom: (text) => text,
  scope: scopedBy(() => [], mostPayoutAccounts),
});

/** The bank accounts of beneficiaries, at most one for each. An insert throws `quota_exceeded` above 5,000. */
export const payoutAccounts = {
  ...records,

  describe: ({ id }: Pick<StoredPayoutAccount, 'id'>): Described => ({ label: id }),

  listOf: (account: AccountId) => ({
    ...records.listOf(account, []),
    show: async (page: StoredPayoutAccount[]) => page.map((one) => showPayoutAccount(one)),
  }),

  /** Leaves no tombstone, because the beneficiary can get another bank account. */
  delete: records.hardDelete,
};
