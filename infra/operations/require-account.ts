import { accountKey } from '../../shared/accounts/keys.ts';
import type { StoredAccount } from '../../shared/accounts/schema.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { isTombstone, recordOf } from '../../shared/table/item.ts';
import { getItem } from '../../shared/table/read.ts';

/** Returns an account. Throws if it does not exist or is being erased. */
export async function requireAccount(account: AccountId): Promise<StoredAccount> {
  const item = await getItem(accountKey(account));
  if (!item) throw new Error(`No account ${account} in this table.`);
  if (isTombstone(item)) throw new Error(`Account ${account} is being erased.`);
  return recordOf<StoredAccount>(item);
}
