import { accountKey } from '../accounts/keys.ts';
import type { RequireReach } from '../endpoints/reached.ts';
import { ApiError, invalid } from '../errors.ts';
import { type AccountId, asAccountId } from '../id/account-id.ts';
import { asRecordId } from '../id/mint.ts';
import { merchants } from '../sales/merchants/store.ts';
import type { StoredMerchant } from '../sales/merchants/stored-merchant.ts';
import { getItem } from '../table/read.ts';
import type { Customer } from './keys.ts';
import type { Invoice } from './schema.ts';

/** The name and the address of a customer, as an invoice keeps them. */
export type KnownCustomer = Pick<Invoice, 'customerName' | 'customerAddress'>;

/**
 * Returns the customer with its name and address. Throws `customer_unknown` if the account has no such customer, or if
 * `requireReach` hides it from the caller.
 */
export const requireCustomer = (
  account: AccountId,
  { customerType, customerId }: Customer,
  requireReach?: RequireReach,
) =>
  customerType === 'account'
    ? requireChild(account, customerId)
    : requireMerchant(account, customerId, requireReach);

const unknown = (type: string) => invalid('customerId', `is not ${type} of this account`, 'customer_unknown');

async function requireMerchant(
  account: AccountId,
  reference: string,
  requireReach?: RequireReach,
): Promise<KnownCustomer> {
  const id = asRecordId(reference);
  const merchant = id === undefined ? undefined : await merchants.find(account, id);
  if (!merchant) throw unknown('a merchant');
  await requireReach?.('merchant', merchant, merchant.id).catch((error: unknown) => {
    throw error instanceof ApiError ? unknown('a merchant') : error;
  });
  const address = addressOf(merchant);
  return { customerName: nameOfMerchant(merchant), ...(address.length > 0 && { customerAddress: address }) };
}

/** An account is a customer only of its parent. The error is the same for accounts that do not exist. */
async function requireChild(account: AccountId, reference: string): Promise<KnownCustomer> {
  const id = asAccountId(reference);
  const child = id === undefined ? undefined : await getItem(accountKey(id));
  if (child?.parentAccountId !== account) throw unknown('a child account');
  return { customerName: String(child.name) };
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
