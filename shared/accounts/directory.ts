import type { AccountId } from '../id/account-id.ts';
import type { Item } from '../table/item.ts';
import { queryItems } from '../table/read.ts';
import { accountsAcrossAccountsPartition, listedAccountAcrossAccountsKey } from './keys.ts';

/** The item that puts an account into the directory, which is how operators find every account without a scan. */
export const listedAccount = (account: AccountId): Item => ({
  ...listedAccountAcrossAccountsKey(account),
  type: 'listed account',
  accountId: account,
});

/** Every account of the table, by id. */
export async function listedAccounts(): Promise<AccountId[]> {
  const items = await queryItems({ partition: accountsAcrossAccountsPartition() });
  return items.map(({ sk }) => sk as AccountId);
}
