import { invalid } from '../../errors.ts';
import { type Fields, mergeFields, REDACTED, type SentTexts } from '../../security/merge-fields.ts';
import { type Revision, sameValue } from '../../table/revise.ts';
import { checkIds, mergePrincipals, type Rows } from './merge-principals.ts';
import { type MerchantPatch, maxRates, type RateInput } from './schema.ts';
import { isSensitiveMerchantField, last4Of } from './sensitive-values.ts';
import type { StoredAddress, StoredMerchant, StoredRate } from './stored-merchant.ts';

/** The result of merging a request, before its sensitive values are encrypted. */
export interface MergedMerchant {
  /** The fields to set. Fields in `sentTexts` keep their stored values until the new values are encrypted. */
  revision: Revision<StoredMerchant>;
  sentTexts: SentTexts;
}

interface Merging {
  now: Date;
  /** The default effectiveDate of rates. */
  today: string;
  mintId(): number;
  /** Whether the caller may read merchants. */
  mayRead: boolean;
}

const objectNames = ['banking', 'processing', 'compliance', 'riskMetrics'] as const;
type ObjectName = (typeof objectNames)[number];

/**
 * Merges the body of a request into a merchant. Arrays are replaced, objects are merged, null clears a field,
 * and an object in `rates` sets the row of one day. Sent ids must equal the stored ids. If the caller may not
 * read merchants, accountNumberLast4 is not checked, because the check would show whether a guessed value is
 * right. Throws `invalid_input`.
 */
export function mergeMerchant(
  before: StoredMerchant,
  { principals, addresses, banking, processing, rates, compliance, riskMetrics, ...core }: MerchantPatch,
  { now, today, mintId, mayRead }: Merging,
): MergedMerchant {
  const rows = { merchantId: before.id, mintId };
  const revision: Revision<StoredMerchant> = { ...core, ...activation(before, core, now) };
  const sentTexts = new Map<string, string>();
  const objects: Partial<Record<ObjectName, Fields>> = { banking, processing, compliance, riskMetrics };
  for (const name of objectNames) {
    const merged = objects[name] && mergeObject(before, name, objects[name]);
    if (!merged) continue;
    Object.assign(revision, { [name]: merged.fields });
    for (const [path, text] of merged.sentTexts) sentTexts.set(path, text);
  }
  if (banking && mayRead) checkLast4(before, banking);
  if (principals) {
    const merged = mergePrincipals({ ...rows, stored: before.principals }, principals);
    revision.principals = merged.principals;
    for (const [path, text] of merged.sentTexts) sentTexts.set(path, text);
  }
  if (addresses) revision.addresses = mergeAddresses({ ...rows, stored: before.addresses }, addresses);
  if (rates) revision.rates = setRates({ ...rows, stored: before.rates }, rates, today);
  return { revision, sentTexts };
}

/** Sets activatedDate when the merchant becomes active, unless activatedDate is already set. */
const activation = (
  before: StoredMerchant,
  { status, activatedDate = before.activatedDate }: MerchantPatch,
  now: Date,
): Revision<StoredMerchant> =>
  status === 'active' && before.status !== 'active' && !activatedDate
    ? { activatedDate: now.toISOString() }
    : {};

function mergeObject(before: StoredMerchant, name: ObjectName, sent: Fields) {
  const { id, merchantId, accountNumberLast4, ...fields } = sent as Fields & {
    id?: number;
    merchantId?: number;
  };
  const stored = before[name];
  const nameOf = (field: string) => `${name}.${field}`;
  checkIds({ id, merchantId }, { id: stored.id, merchantId: before.id }, nameOf);
  return mergeFields({ ...stored }, fields, {
    isSensitive: isSensitiveMerchantField,
    pathOf: nameOf,
    nameOf,
  });
}

/** Throws if a sent accountNumberLast4 matches neither the stored nor the sent account number. */
function checkLast4(
  { banking: { accountNumber: stored } }: StoredMerchant,
  { accountNumberLast4: last4, accountNumber: sent }: NonNullable<MerchantPatch['banking']>,
): void {
  const own = [stored?.last4, typeof sent === 'string' && sent !== REDACTED ? last4Of(sent) : undefined];
  if (last4 !== undefined && !own.includes(last4))
    throw invalid('banking.accountNumberLast4', 'must be the last four characters of the account number');
}

type AddressInput = NonNullable<MerchantPatch['addresses']>[number];

/** Returns the sent addresses. An unchanged address keeps its id, even if the request does not contain the id. */
function mergeAddresses(
  { merchantId, stored, mintId }: Rows<StoredAddress>,
  sent: readonly AddressInput[],
): StoredAddress[] {
  const free = new Map(stored.map((address) => [address.id, address]));
  for (const [index, { id }] of sent.entries()) {
    const nameOf = (field: string) => `addresses[${index}].${field}`;
    if (id === undefined) continue;
    checkIds({ id }, { id: free.get(id)?.id, merchantId }, nameOf);
    free.delete(id);
  }
  return sent.map(({ id, merchantId: ownerId, ...sentFields }, index) => {
    checkIds({ merchantId: ownerId }, { merchantId }, (field) => `addresses[${index}].${field}`);
    const set = Object.entries(sentFields).filter(([, value]) => value !== null && value !== undefined);
    const fields = { country: 'US', ...Object.fromEntries(set) };
    const same = [...free.values()].find(({ id: _, ...known }) => sameValue(known, fields));
    const own = id ?? same?.id ?? mintId();
    free.delete(own);
    return { ...fields, id: own };
  });
}

/** Sets one row of rates from an object, or all rows from an array. Throws `invalid_input`. */
function setRates(rows: Rows<StoredRate>, sent: RateInput | RateInput[], today: string): StoredRate[] {
  if (!Array.isArray(sent))
    return Object.keys(sent).length > 0
      ? setRate(rows, { effectiveDate: today, ...sent }, 'rates')
      : [...rows.stored];
  const all = sent.map((row) => ({ effectiveDate: today, ...row }));
  const days = new Set(all.map(({ effectiveDate }) => effectiveDate));
  const kept = rows.stored.filter(({ effectiveDate }) => days.has(effectiveDate));
  return all.reduce((stored, row, at) => setRate({ ...rows, stored }, row, `rates[${at}]`), kept);
}

/** Sets the row of one day. Returns all rows, the newest day first. Throws if there are more than 200 rows. */
function setRate(
  { merchantId, stored, mintId }: Rows<StoredRate>,
  { id, merchantId: ownerId, effectiveDate, ...sent }: RateInput & { effectiveDate: string },
  name: string,
): StoredRate[] {
  const known = stored.find((row) => row.effectiveDate === effectiveDate);
  const nameOf = (field: string) => `${name}.${field}`;
  checkIds({ id, merchantId: ownerId }, { id: known?.id, merchantId }, nameOf);
  const { fields } = mergeFields({ ...known }, sent, {
    isSensitive: isSensitiveMerchantField,
    pathOf: nameOf,
    nameOf,
  });
  const row = { ...fields, id: known?.id ?? mintId(), effectiveDate };
  const rows = [...stored.filter((other) => other !== known), row];
  if (rows.length > maxRates) throw invalid('rates', `must have at most ${maxRates} rows`);
  return rows.sort((one, other) => (one.effectiveDate < other.effectiveDate ? 1 : -1));
}
