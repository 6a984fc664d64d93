import { REDACTED } from '../../security/merge-fields.ts';
import type { Principal } from '../../security/principal.ts';
import { mayReach } from '../../security/reach.ts';
import { merchantWarnings } from './merchant-warnings.ts';
import type { Banking, ChangedMerchant, Merchant, MerchantParts } from './schema.ts';
import { accountNumberPath, isSensitiveMerchantField, principalPath } from './sensitive-values.ts';
import type { StoredMerchant } from './stored-merchant.ts';

export function showMerchant(merchant: StoredMerchant): Merchant {
  const { principals, addresses, banking, processing, rates, compliance, riskMetrics, ...own } = merchant;
  return own;
}

/**
 * Returns a merchant for the response of a change. Without permission to read the merchant, a warning would show whether a
 * stored value is valid.
 */
export const showChangedMerchant = (
  merchant: StoredMerchant,
  { principal }: { principal: Principal },
): ChangedMerchant => ({
  ...showMerchant(merchant),
  ...(mayReach(principal, 'merchant', 'read', merchant) && { warnings: merchantWarnings(merchant) }),
});

const nothing: ReadonlyMap<string, string> = new Map();

/** Returns the rows and objects of a merchant. Sensitive values that are not in `values` (by path) are REDACTED. */
export function showParts(merchant: StoredMerchant, values = nothing): MerchantParts {
  const { principals, addresses, banking, processing, rates, compliance, riskMetrics } = merchant;
  const owned = <R extends object>(row: R) => ({ ...row, merchantId: merchant.id });
  return {
    principals: principals.map((row): MerchantParts['principals'][number] => ({
      ...shownFields(row, (field) => values.get(principalPath(row.id, field))),
      ...owned({ id: row.id }),
    })),
    addresses: addresses.map(owned),
    banking: showBanking(owned(banking), values),
    processing: owned(processing),
    rates: rates.map(owned),
    compliance: owned(compliance),
    riskMetrics: owned(riskMetrics),
    warnings: merchantWarnings(merchant),
  };
}

const showBanking = (
  banking: StoredMerchant['banking'] & { merchantId: number },
  values: ReadonlyMap<string, string>,
): Banking => ({
  ...shownFields(banking, () => values.get(accountNumberPath)),
  id: banking.id,
  merchantId: banking.merchantId,
  ...(banking.accountNumber?.last4 && { accountNumberLast4: banking.accountNumber.last4 }),
});

/** Copies the fields, with sensitive values replaced by their plain text or by REDACTED. */
const shownFields = (fields: object, plainOf: (field: string) => string | undefined): object =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      isSensitiveMerchantField(field) ? (plainOf(field) ?? REDACTED) : value,
    ]),
  );
