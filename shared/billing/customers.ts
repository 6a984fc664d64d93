import { invalid } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { asRecordId } from '../id/mint.ts';
import { merchants } from '../sales/merchants/store.ts';
import type { StoredMerchant } from '../sales/merchants/stored-merchant.ts';
import type { Customer } from './keys.ts';
import type { Invoice } from './schema.ts';

/** The name and the address of a customer, as an invoice keeps them. */
export type KnownCustomer = Pick<Invoice, 'customerName' | 'customerAddress'>;

/** Returns the customer with its name and address. Throws `customer_unknown` if the account has no such customer. */
export async function requireCustomer(account: AccountId, { customerId }: Customer): Promise<KnownCustomer> {
  const id = asRecordId(customerId);
  const merchant = id === undefined ? undefined : await merchants.find(account, id);
  if (!merchant) throw invalid('customerId', 'is not a merchant of this account', 'customer_unknown');
  const address = addressOf(merchant);
  return { customerName: nameOfMerchant(merchant), ...(address.length > 0 && { customerAddress: address }) };
}

const nameOfMerchant = ({ legalName, merchantName }: StoredMerchant): string => legalName ?? merchantName;

/** Returns the lines of the postal address: the mailing address, otherwise the legal or the business address. */
function addressOf({ addresses }: StoredMerchant): string[] {
  const found = ['mailing', 'legal', 'business'].flatMap((type) =>
    addresses.filter((one) => one.type === type),
  );
  const { street1, street2, city, state, postalCode, country } = found[0] ?? addresses[0] ?? {};
  const place = [city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return [street1, street2, place, country].flatMap((line) => (line ? [line.slice(0, 200)] : []));
}
