import { parentName, parentOfInvoice, readParents } from '../endpoints/parent-records.ts';
import type { RequireReach } from '../endpoints/reached.ts';
import { ApiError, notFound } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Invoice } from './schema.ts';

/**
 * Returns an invoice. Throws `not_found`, also if its merchant is hidden from the caller. Callers who reach all merchants cause
 * no further read.
 */
export async function shownInvoice<I extends Pick<Invoice, 'id' | 'customerType' | 'customerId'>>(
  { account, requireReach }: { account: AccountId; requireReach: RequireReach },
  reading: Promise<I>,
): Promise<I> {
  const invoice = await reading;
  const merchant = parentOfInvoice(invoice);
  if (!merchant) return invoice;
  const missing = notFound('invoice', invoice.id);
  const readMerchant = async () => {
    const found = (await readParents(account, [merchant])).get(parentName(merchant));
    if (!found) throw missing;
    return found;
  };
  await requireReach('merchant', readMerchant, merchant.id).catch((error: unknown) => {
    throw error instanceof ApiError ? missing : error;
  });
  return invoice;
}
