import type { DataKeys } from '../../security/data-keys.ts';
import type { Place, Sealed } from '../../security/sealed-value.ts';
import { type BlindKind, blindBankAccount, blindSsn } from '../duplicate-detection/blind-values.ts';
import type { BlindValue } from '../duplicate-detection/index-rows.ts';
import { sensitiveFaults } from '../value-checks/sensitive-faults.ts';
import { type StoredMerchant, type StoredPrincipal, sensitiveFields } from './stored-merchant.ts';

/** The parts of a merchant that contain sensitive values. */
export type MerchantContents = Pick<StoredMerchant, 'principals' | 'banking'>;

type SensitiveMerchantField = (typeof sensitiveFields)[keyof typeof sensitiveFields][number];

/** A sensitive value and its path: `principals[214563398120450].ssn`. */
interface SensitiveMerchantValue {
  path: string;
  field: SensitiveMerchantField;
  sealed: Sealed;
}

export const principalPath = (id: number, field: string): string => `principals[${id}].${field}`;
export const accountNumberPath = 'banking.accountNumber';

const sensitive: ReadonlySet<string> = new Set(Object.values(sensitiveFields).flat());
export const isSensitive = (field: string): boolean => sensitive.has(field);

/** The record and field to which the ciphertext of a value is bound. */
export const placeOf =
  ({ accountId, id }: Pick<StoredMerchant, 'accountId' | 'id'>) =>
  (path: string): Place => ({ account: accountId, record: `merchant:${id}`, field: path });

/** Returns every stored sensitive value. */
export const sensitiveValues = ({
  principals,
  banking,
}: MerchantContents): readonly SensitiveMerchantValue[] => [
  ...principals.flatMap((principal) =>
    sensitiveFields.principals.flatMap((field) =>
      valueAt(principalPath(principal.id, field), field, principal[field]),
    ),
  ),
  ...valueAt(accountNumberPath, 'accountNumber', banking.accountNumber),
];

const valueAt = (
  path: string,
  field: SensitiveMerchantField,
  sealed: Sealed | undefined,
): SensitiveMerchantValue[] => (sealed ? [{ path, field, sealed }] : []);

export const sealedByPath = (contents: MerchantContents): ReadonlyMap<string, Sealed> =>
  new Map(sensitiveValues(contents).map(({ path, sealed }) => [path, sealed]));

/** Replaces the sensitive values at the given paths. */
export const withSealed = (
  { principals, banking }: MerchantContents,
  values: ReadonlyMap<string, Sealed>,
): MerchantContents => {
  const accountNumber = values.get(accountNumberPath);
  return {
    principals: principals.map((principal) => ({ ...principal, ...newIn(principal, values) })),
    banking: { ...banking, ...(accountNumber && { accountNumber }) },
  };
};

const newIn = ({ id }: StoredPrincipal, values: ReadonlyMap<string, Sealed>): Partial<StoredPrincipal> =>
  Object.fromEntries(
    sensitiveFields.principals.flatMap((field) => {
      const sealed = values.get(principalPath(id, field));
      return sealed ? [[field, sealed]] : [];
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
): Omit<Sealed, 'jwe'> {
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
export const blindValuesOf = (contents: MerchantContents): (BlindValue & Pick<Sealed, 'jwe'>)[] =>
  sensitiveValues(contents).flatMap(({ path, field, sealed: { blind, jwe } }) => {
    const kind = kindOf[field];
    return kind && blind ? [{ kind, blind, field: path, jwe }] : [];
  });
