import { sensitiveDataRevealed } from '../events/emit.ts';
import type { EventDraft } from '../events/envelope.ts';
import {
  payoutAccounts,
  placeInPayoutAccount,
  type StoredPayoutAccount,
} from '../residuals/payout-accounts/store.ts';
import { payouts, placeInPayout, type StoredPayout } from '../residuals/payouts/store.ts';
import { placeInApplication } from '../sales/applications/record/encrypt-application.ts';
import { sensitiveApplicationValues as inApplication } from '../sales/applications/record/sensitive-values.ts';
import type { StoredApplication } from '../sales/applications/record/stored-application.ts';
import { applications } from '../sales/applications/store.ts';
import {
  sensitiveMerchantValues as inMerchant,
  placeInMerchant,
} from '../sales/merchants/sensitive-values.ts';
import { merchants } from '../sales/merchants/store.ts';
import type { StoredMerchant } from '../sales/merchants/stored-merchant.ts';
import type { Encrypted, Place } from '../security/encrypted-value.ts';
import { REDACTED } from '../security/merge-fields.ts';
import { recordOf } from '../table/item.ts';
import type { ExportedRecord } from './exported-kinds.ts';

export type ReplaceEncrypted = (records: readonly ExportedRecord[]) => Promise<ExportedRecord[]>;

/** Replaces each encrypted value by `REDACTED`, followed by the value's last four characters if they are stored. */
export const redactEncrypted: ReplaceEncrypted = async (records) =>
  records.map((record) => withValues(record, () => REDACTED));

/** The encrypted values of a record and the event that records their disclosure. */
interface Sensitive {
  values: { place: Place; jwe: string }[];
  drafts: EventDraft[];
}

/** Returns undefined for kinds of records without encrypted values. */
export function sensitiveIn({ kind, record }: ExportedRecord): Sensitive | undefined {
  if (kind === 'application') {
    const application = recordOf<StoredApplication>(record);
    const values = inApplication(application);
    return {
      values: values.map(({ path, encrypted: { jwe } }) => ({
        place: placeInApplication(application, path),
        jwe,
      })),
      drafts: sensitiveDataRevealed(applications, application, pathsOf(values)),
    };
  }
  if (kind === 'merchant') {
    const merchant = recordOf<StoredMerchant>(record);
    const values = inMerchant(merchant);
    return {
      values: values.map(({ path, encrypted: { jwe } }) => ({ place: placeInMerchant(merchant)(path), jwe })),
      drafts: sensitiveDataRevealed(merchants, merchants.forEvents(merchant), pathsOf(values)),
    };
  }
  if (kind === 'payout_account') {
    const stored = recordOf<StoredPayoutAccount>(record);
    const place = placeInPayoutAccount(stored);
    return {
      values: [{ place, jwe: stored.accountNumber.jwe }],
      drafts: sensitiveDataRevealed(payoutAccounts, stored, [place.field]),
    };
  }
  if (kind === 'payout') {
    const payout = recordOf<StoredPayout>(record);
    const values = payout.entries.map(({ n, accountNumber: { jwe } }) => ({
      place: placeInPayout(payout, n),
      jwe,
    }));
    const fields = values.map(({ place }) => place.field);
    return { values, drafts: sensitiveDataRevealed(payouts, payout, fields) };
  }
  return undefined;
}

const pathsOf = (values: readonly { path: string }[]): string[] => values.map(({ path }) => path);

type ValueFor = (encrypted: Encrypted) => string;

export const withValues = (record: ExportedRecord, valueFor: ValueFor): ExportedRecord => ({
  ...record,
  record: replaceInObject(record.record, valueFor),
});

const replaceInObject = (object: object, valueFor: ValueFor): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
      if (!isEncrypted(value)) return [[name, replaceIn(value, valueFor)]];
      const shown: [string, unknown] = [name, valueFor(value)];
      return value.last4 === undefined ? [shown] : [shown, [`${name}Last4`, value.last4]];
    }),
  );

function replaceIn(value: unknown, valueFor: ValueFor): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceIn(one, valueFor));
  return typeof value === 'object' && value !== null ? replaceInObject(value, valueFor) : value;
}

const isEncrypted = (value: unknown): value is Encrypted =>
  typeof value === 'object' && value !== null && 'jwe' in value && typeof value.jwe === 'string';
