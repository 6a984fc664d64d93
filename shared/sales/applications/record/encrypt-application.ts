import type { DataKeys } from '../../../security/data-keys.ts';
import { decryptValues, encryptValues } from '../../../security/encrypt-values.ts';
import type { Place } from '../../../security/encrypted-value.ts';
import type { SentTexts } from '../../../security/merge-fields.ts';
import type { Revision } from '../../../table/revise.ts';
import {
  type BlindKind,
  blindBankAccount,
  blindSsn,
  blindTaxId,
} from '../../duplicate-detection/blind-values.ts';
import { type Duplicate, findDuplicates } from '../../duplicate-detection/find-duplicates.ts';
import type { BlindValue } from '../../duplicate-detection/index-rows.ts';
import {
  type ApplicationContents,
  type SensitiveApplicationField,
  sensitiveApplicationValues,
  withSensitive,
} from './sensitive-values.ts';
import type { StoredApplication } from './stored-application.ts';

/** The result of merging a request, before its sensitive values are encrypted. */
export interface MergedApplication {
  /**
   * The fields to set. A sensitive field whose new value is in `sentTexts` still has its stored value here.
   */
  revision: Revision<StoredApplication>;
  sentTexts: SentTexts;
}

/** The record and field to which the ciphertext of a value is bound. */
export const placeInApplication = (
  { accountId, id }: Pick<StoredApplication, 'accountId' | 'id'>,
  path: string,
): Place => ({ account: accountId, record: `application:${id}`, field: path });

const taxPath = 'basics.dbaTaxId';
const bankPath = 'businessBanking.bankAccount';

/**
 * Encrypts the sensitive values of a request. Keeps the ciphertext of a stored value if the caller may read the value
 * and sends the same value. Also stores the ids of the rules that a value breaks, so that validation decrypts nothing.
 */
export async function encryptSentValues(
  before: StoredApplication,
  { revision, sentTexts }: MergedApplication,
  keys: DataKeys,
  mayRead: boolean,
  faultsOf: (path: string, plain: string) => string[],
): Promise<Revision<StoredApplication>> {
  const after = contentsAfter(before, revision);
  const routing = after.businessBanking?.bankRouting;
  const values = {
    stored: encryptedByPath(before),
    sent: sentTexts,
    mayRead,
    // A new routing number requires a new hash, because the keyed hash of the account number includes the routing
    // number.
    again: bankChanges(before, after) ? [bankPath] : [],
  };
  const place = (path: string) => placeInApplication(before, path);
  const encrypted = await encryptValues(keys, place, values, (path, plain) => {
    const blind = blindOf(keys, path, plain, routing);
    return { faults: faultsOf(path, plain), ...(blind && { blind }) };
  });
  const { basics, businessBanking, businessOwners } = withSensitive(after, encrypted);
  return {
    ...revision,
    ...(basics && { basics }),
    ...(businessBanking && { businessBanking }),
    businessOwners,
  };
}

/**
 * Reports whether data keys are needed: to encrypt sent values, or to compute a new hash of the bank account after a
 * change of the routing number.
 */
export const needsKeys = (before: StoredApplication, { revision, sentTexts }: MergedApplication): boolean =>
  sentTexts.size > 0 || bankChanges(before, contentsAfter(before, revision));

const bankChanges = (before: ApplicationContents, { businessBanking: after }: ApplicationContents): boolean =>
  after?.bankAccount !== undefined && after.bankRouting !== before.businessBanking?.bankRouting;

const encryptedByPath = (contents: ApplicationContents) =>
  new Map(sensitiveApplicationValues(contents).map(({ path, encrypted }) => [path, encrypted]));

const contentsAfter = (
  before: ApplicationContents,
  revision: Revision<ApplicationContents>,
): ApplicationContents => ({
  basics: (revision.basics === undefined ? before.basics : revision.basics) ?? undefined,
  businessBanking:
    (revision.businessBanking === undefined ? before.businessBanking : revision.businessBanking) ?? undefined,
  businessOwners: revision.businessOwners ?? before.businessOwners,
});

function blindOf(
  keys: DataKeys,
  path: string,
  plain: string,
  routing: string | undefined,
): string | undefined {
  if (path === taxPath) return blindTaxId(keys, plain);
  if (path === bankPath) return blindBankAccount(keys, routing, plain);
  return path.endsWith('.socialSecurityNumber') ? blindSsn(keys, plain) : undefined;
}

const kindOf: Partial<Record<SensitiveApplicationField, BlindKind>> = {
  socialSecurityNumber: 'ssn',
  dbaTaxId: 'tax_id',
  bankAccount: 'bank_account',
};

/** Returns the values of an application for the duplicate index. */
export const blindValuesOfApplication = (contents: ApplicationContents): BlindValue[] =>
  sensitiveApplicationValues(contents).flatMap(({ path, field, encrypted: { blind } }) => {
    const kind = kindOf[field];
    return kind && blind ? [{ kind, blind, field: path }] : [];
  });

/** Decrypts every sensitive value and returns the values by path. */
export const decryptApplication = (
  application: StoredApplication,
  keys: DataKeys,
): Promise<ReadonlyMap<string, string>> =>
  decryptValues(keys, (path) => placeInApplication(application, path), encryptedByPath(application));

/**
 * Finds the sensitive values that other records of the account also have. Ignores the merchant that was
 * created from the application.
 */
export const duplicatesOf = (application: StoredApplication): Promise<Duplicate[]> => {
  const { accountId, id, admin } = application;
  return findDuplicates(accountId, blindValuesOfApplication(application), [
    { type: 'application', id },
    ...(admin.merchantId === undefined ? [] : [{ type: 'merchant' as const, id: admin.merchantId }]),
  ]);
};
