import { byPath, changesBetween, hiding, withoutValues } from '../../events/changes.ts';
import { created } from '../../events/emit.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { type Described, subjectOf } from '../../events/subject.ts';
import { isSensitiveMerchantField } from './sensitive-values.ts';
import { showMerchant } from './show-merchant.ts';
import type { StoredMerchant } from './stored-merchant.ts';

/** The fields of a merchant in its events. */
type MerchantEventFields = Pick<StoredMerchant, 'id' | 'version'> & Record<string, unknown>;

/**
 * Returns the fields by path: `processing.monthlyVolume`, `principals[214563398120450].email`. Sensitive values are
 * hidden: an event shows only that a value changed.
 */
export function merchantEventFields(merchant: StoredMerchant): MerchantEventFields {
  const { principals, addresses, banking, processing, rates, compliance, riskMetrics } = merchant;
  const parts = {
    principals: principals.map((principal) => hiding(principal, isSensitiveMerchantField)),
    addresses,
    banking: hiding(banking, isSensitiveMerchantField),
    processing,
    rates,
    compliance,
    riskMetrics,
  };
  return { ...byPath({ ...showMerchant(merchant), ...parts }), id: merchant.id, version: merchant.version };
}

/** The label of a merchant in events is its name. */
export const merchantSubject = {
  subject: 'merchant' as const,
  describe: ({ merchantName }: MerchantEventFields): Described =>
    typeof merchantName === 'string' ? { label: merchantName } : {},
};

export const merchantCreated = (merchant: StoredMerchant): EventDraft[] =>
  created(merchantSubject, 'merchant_created', merchantEventFields(merchant));

/**
 * Returns the event of a changed merchant. If no path changed, such as after a new order of principals, the event contains
 * the names of the changed fields. Returns no event if the two states are the same object.
 */
export function merchantUpdated(before: StoredMerchant, after: StoredMerchant): EventDraft[] {
  if (before === after) return [];
  const [was, is] = [merchantEventFields(before), merchantEventFields(after)];
  const paths = changesBetween(was, is);
  const changes = Object.keys(paths).length > 0 ? paths : withoutValues(changesBetween(before, after));
  return [{ kind: 'merchant_updated', subject: subjectOf(merchantSubject, is), data: { changes } }];
}
