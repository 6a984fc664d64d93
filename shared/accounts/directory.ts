import type { AccountId } from '../id/account-id.ts';
import type { Item } from '../table/item.ts';
import { queryItems } from '../table/read.ts';
import { accountsAcrossAccountsPartition, listedAccountAcrossAccountsKey } from './keys.ts';

/** The item that lists an account in the directory, so that operators can find every account without a scan. */
export const listedAccount = (account: AccountId): Item => ({
  ...listedAccountAcrossAccountsKey(account),
  type: 'listed-account',
  accountId: account,
});

export async function listedAccounts(): Promise<AccountId[]> {
  const items = await queryItems({ partition: accountsAcrossAccountsPartition() });
  return items.map(({ sk }) => sk as AccountId);
}
