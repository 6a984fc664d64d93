import { fits, routingFaults } from '../value-checks/formats.ts';
import { valueMessages } from '../value-checks/messages.ts';
import type { MerchantWarning } from './schema.ts';
import { sensitiveMerchantValues } from './sensitive-values.ts';
import type { StoredAddress, StoredMerchant } from './stored-merchant.ts';

/** Returns the warnings about a merchant. Decrypts nothing, because faults are stored with the encrypted values. */
export const merchantWarnings = (merchant: StoredMerchant): MerchantWarning[] => [
  ...sensitiveMerchantValues(merchant).flatMap(({ path, encrypted }) =>
    encrypted.faults.flatMap((rule) => about(path, rule)),
  ),
  ...faultsOf(merchant.banking.routingNumber, routingFaults).flatMap((rule) =>
    about('banking.routingNumber', rule),
  ),
  ...merchant.addresses.flatMap((address) =>
    addressFaults(address).flatMap(([field, rule]) => about(`addresses[${address.id}].${field}`, rule)),
  ),
];

const about = (field: string, rule: string): MerchantWarning[] =>
  isCommonRule(rule) ? [{ rule, field, message: valueMessages[rule] }] : [];

type Rule = keyof typeof valueMessages;
const isCommonRule = (rule: string): rule is Rule => Object.hasOwn(valueMessages, rule);

/** An empty value breaks no rule. */
const faultsOf = <F extends Rule>(text: string | undefined, check: (text: string) => F[]): F[] =>
  text?.trim() ? check(text) : [];

/** The rules for addresses apply only to addresses in the United States. */
function addressFaults({
  type,
  street1,
  street2,
  state,
  postalCode,
  country,
}: StoredAddress): (readonly [field: string, rule: Rule])[] {
  if (country?.trim().toUpperCase() !== 'US') return [];
  const streets = { street1, street2 };
  return [
    ...Object.entries(streets).flatMap(([field, line = '']) =>
      type === 'business' && fits('po_box', line) ? [[field, 'po_box'] as const] : [],
    ),
    ...faultsOf(state, (text) => (fits('state', text) ? [] : ['state'])).map(
      (rule) => ['state', rule] as const,
    ),
    ...faultsOf(postalCode, (text) => (fits('zip', text) ? [] : ['zip'])).map(
      (rule) => ['postalCode', rule] as const,
    ),
  ];
}
