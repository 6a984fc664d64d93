import type { DataKeys } from '../../security/data-keys.ts';
import type { Encrypted } from '../../security/encrypted-value.ts';
import { type Authored, type Revision, revise } from '../../table/revise.ts';
import type { AccountCorrection } from '../nacha/read-return-file.ts';
import { describeAccountNumber } from '../payout-accounts/save-payout-account.ts';
import {
  decryptAccountNumber,
  placeInPayoutAccount,
  type StoredPayoutAccount,
} from '../payout-accounts/store.ts';
import { decryptPaymentNumber, type StoredPayment, type StoredPayout } from './store.ts';

/** `changed_since`: a person has changed one of the values since the payment, so that nothing was corrected. */
export type Correction = { result: 'corrected'; after: StoredPayoutAccount } | { result: 'changed_since' };

interface CorrectedPayment {
  payout: StoredPayout;
  entry: StoredPayment;
  bank: StoredPayoutAccount;
}

/** Returns a payout account with the values of a notification of change. Equal values return the same object. */
export async function correctAccount(
  request: Authored & { dataKeys(): Promise<DataKeys> },
  { payout, entry, bank }: CorrectedPayment,
  { routingNumber, accountNumber, accountType }: AccountCorrection,
): Promise<Correction> {
  const revision: Revision<StoredPayoutAccount> = {};
  if (routingNumber !== undefined && routingNumber !== bank.routingNumber) {
    if (bank.routingNumber !== entry.routingNumber) return { result: 'changed_since' };
    revision.routingNumber = routingNumber;
  }
  if (accountType !== undefined && accountType !== bank.accountType) {
    if (bank.accountType !== entry.accountType) return { result: 'changed_since' };
    revision.accountType = accountType;
  }
  if (accountNumber !== undefined) {
    const keys = await request.dataKeys();
    const [present, paid] = await Promise.all([
      decryptAccountNumber(keys, bank),
      decryptPaymentNumber(keys, payout, entry),
    ]);
    if (present !== accountNumber && present !== paid) return { result: 'changed_since' };
    if (present !== accountNumber) revision.accountNumber = await encryptedFor(keys, bank, accountNumber);
  }
  return { result: 'corrected', after: revise(bank, revision, request) };
}

const encryptedFor = async (
  keys: DataKeys,
  bank: StoredPayoutAccount,
  plain: string,
): Promise<Encrypted> => ({
  ...describeAccountNumber(plain),
  jwe: await keys.encrypt(placeInPayoutAccount(bank), plain),
});
