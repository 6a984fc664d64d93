import { createHash } from 'node:crypto';
import type { Described } from '../../events/subject.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import type { Encrypted, Place } from '../../security/encrypted-value.ts';
import { REDACTED } from '../../security/merge-fields.ts';
import { recordStore } from '../../table/record-store.ts';
import type { AchOriginator } from '../nacha/write-nacha-file.ts';
import type { Payment, Payout, PayoutSummary } from './schema.ts';

/** A payment as stored. The numbers are those of the payout account when the payout was created. */
export interface StoredPayment extends Omit<Payment, 'accountNumber' | 'accountNumberLast4'> {
  accountNumber: Encrypted;
}

/** What a NACHA file contains besides the payments, so that its bytes never change. */
export interface NachaFacts {
  originator: AchOriginator;
  createdOn: string;
  createdAt: string;
  modifier: string;
  descriptiveDate: string;
  addenda: boolean;
}

/** A payout as stored, in one item with its payments. */
export interface StoredPayout extends PayoutSummary {
  entries: StoredPayment[];
  /** Present in the format `nacha`. */
  nacha?: NachaFacts;
}

/** The record and the field to which the encrypted account number of a payment is bound. */
export const placeInPayout = (
  { accountId, id }: Pick<StoredPayout, 'accountId' | 'id'>,
  n: number,
): Place => ({
  account: accountId,
  record: `payout:${id}`,
  field: `entries[${n}].accountNumber`,
});

export const encryptPaymentNumber = (
  keys: DataKeys,
  payout: Pick<StoredPayout, 'accountId' | 'id'>,
  n: number,
  plain: string,
): Promise<string> => keys.encrypt(placeInPayout(payout, n), plain);

export const decryptPaymentNumber = (
  keys: DataKeys,
  payout: StoredPayout,
  { n, accountNumber }: StoredPayment,
): Promise<string> => keys.decrypt(placeInPayout(payout, n), accountNumber.jwe);

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

const summarizePayout = ({ entries, nacha, ...summary }: StoredPayout): PayoutSummary => summary;

const showPayment = ({ accountNumber: { last4 }, ...shown }: StoredPayment): Payment => ({
  ...shown,
  accountNumber: REDACTED,
  ...(last4 !== undefined && { accountNumberLast4: last4 }),
});

/** Returns a payout as the API shows it. All account numbers are REDACTED. */
export const showPayout = (payout: StoredPayout): Payout => ({
  ...summarizePayout(payout),
  entries: payout.entries.map(showPayment),
});

/** The payouts of an account. Lists show them without their payments. */
export const payouts = {
  ...recordStore<StoredPayout, 'payout', PayoutSummary>({ resource: 'payout', summary: summarizePayout }),

  describe: ({ id, effectiveDate }: Pick<PayoutSummary, 'id' | 'effectiveDate'>): Described => ({
    label: `${id} ${effectiveDate}`,
  }),
};
