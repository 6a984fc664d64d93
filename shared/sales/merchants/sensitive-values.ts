import type { DataKeys } from '../../security/data-keys.ts';
import type { Encrypted, Place } from '../../security/encrypted-value.ts';
import { type BlindKind, blindBankAccount, blindSsn } from '../duplicate-detection/blind-values.ts';
import type { BlindValue } from '../duplicate-detection/index-rows.ts';
import { sensitiveFaults } from '../value-checks/sensitive-faults.ts';
import { type StoredMerchant, type StoredPrincipal, sensitiveMerchantFields } from './stored-merchant.ts';

/** The parts of a merchant that contain sensitive values. */
export type MerchantContents = Pick<StoredMerchant, 'principals' | 'banking'>;

type SensitiveMerchantField = (typeof sensitiveMerchantFields)[keyof typeof sensitiveMerchantFields][number];

/** A sensitive value and its path: `principals[214563398120450].ssn`. */
interface SensitiveMerchantValue {
  path: string;
  field: SensitiveMerchantField;
  encrypted: Encrypted;
}

export const principalPath = (id: number, field: string): string => `principals[${id}].${field}`;
export const accountNumberPath = 'banking.accountNumber';

const sensitive: ReadonlySet<string> = new Set(Object.values(sensitiveMerchantFields).flat());
export const isSensitiveMerchantField = (field: string): boolean => sensitive.has(field);

/** The record and field to which the ciphertext of a value is bound. */
export const placeInMerchant =
  ({ accountId, id }: Pick<StoredMerchant, 'accountId' | 'id'>) =>
  (path: string): Place => ({ account: accountId, record: `merchant:${id}`, field: path });

/** Returns every stored sensitive value. */
export const sensitiveMerchantValues = ({
  principals,
  banking,
}: MerchantContents): readonly SensitiveMerchantValue[] => [
  ...principals.flatMap((principal) =>
    sensitiveMerchantFields.principals.flatMap((field) =>
      valueAt(principalPath(principal.id, field), field, principal[field]),
    ),
  ),
  ...valueAt(accountNumberPath, 'accountNumber', banking.accountNumber),
];

const valueAt = (
  path: string,
  field: SensitiveMerchantField,
  encrypted: Encrypted | undefined,
): SensitiveMerchantValue[] => (encrypted ? [{ path, field, encrypted }] : []);

export const encryptedByPath = (contents: MerchantContents): ReadonlyMap<string, Encrypted> =>
  new Map(sensitiveMerchantValues(contents).map(({ path, encrypted }) => [path, encrypted]));

/** Replaces the sensitive values at the given paths. */
export const withEncrypted = (
  { principals, banking }: MerchantContents,
  values: ReadonlyMap<string, Encrypted>,
): MerchantContents => {
  const accountNumber = values.get(accountNumberPath);
  return {
    principals: principals.map((principal) => ({ ...principal, ...newIn(principal, values) })),
    banking: { ...banking, ...(accountNumber && { accountNumber }) },
  };
};

const newIn = ({ id }: StoredPrincipal, values: ReadonlyMap<string, Encrypted>): Partial<StoredPrincipal> =>
  Object.fromEntries(
    sensitiveMerchantFields.principals.flatMap((field) => {
      const encrypted = values.get(principalPath(id, field));
      return encrypted ? [[field, encrypted]] : [];
    }),
  );

const checks: Partial<Record<string, (plain: string, now: Date) => string[]>> = {
  ssn: sensitiveFaults.ssn,
  driversLicenseNumber: sensitiveFaults.driversLicense,
  dateOfBirth: sensitiveFaults.birthDate,
  accountNumber: sensitiveFaults.bankAccount,
} satisfies Record<SensitiveMerchantField, unknown>;

/**
 * Returns the unencrypted data about a value: the warning rules that it breaks, a keyed hash to find duplicates, and the
 * last four characters.
 */
export function describeValue(
  keys: DataKeys,
  path: string,
  plain: string,
  routing: string | undefined,
  now: Date,
): Omit<Encrypted, 'jwe'> {
  const blind = path.endsWith('.ssn')
    ? blindSsn(keys, plain)
    : path === accountNumberPath
      ? blindBankAccount(keys, routing, plain)
      : undefined;
  const last4 = path === accountNumberPath ? last4Of(plain) : undefined;
  const faults = checks[path.replace(/^.*\./, '')]?.(plain, now) ?? [];
  return { faults, ...(last4 && { last4 }), ...(blind && { blind }) };
}

/** Returns the last four characters if the number has at least eight characters, so that at least half stay hidden. */
export const last4Of = (plain: string): string | undefined => {
  const number = plain.replaceAll(/[^0-9A-Za-z]/g, '');
  return number.length >= 8 ? number.slice(-4) : undefined;
};

const kindOf: Partial<Record<SensitiveMerchantField, BlindKind>> = {
  ssn: 'ssn',
  accountNumber: 'bank_account',
};

/** The values of a merchant in the duplicate index, with their ciphertexts. */
export const blindValuesOfMerchant = (contents: MerchantContents): (BlindValue & Pick<Encrypted, 'jwe'>)[] =>
  sensitiveMerchantValues(contents).flatMap(({ path, field, encrypted: { blind, jwe } }) => {
    const kind = kindOf[field];
    return kind && blind ? [{ kind, blind, field: path, jwe }] : [];
  });
