import { Refusal } from '../http/errors.ts';
import { recordOf } from '../table/item.ts';
import { accountKey } from '../table/keys.ts';
import { getItem } from '../table/read.ts';
import { putNew, putOver, type Write } from '../table/write.ts';
import type { Account } from './account.ts';
import type { AccountId } from './account-id.ts';

/** Tenants. Authentication has read the named one by the time a handler runs. */
export const accounts = {
  async get(id: AccountId): Promise<Account> {
    const item = await getItem(accountKey(id));
    if (!item) throw new Refusal('not_found');
    return recordOf<Account>(item);
  },

  insert: (account: Account): Write[] => [putNew(itemOf(account))],

  replace: (before: Account, after: Account): Write[] =>
    before === after ? [] : [putOver(itemOf(after), before.version)],
};

const itemOf = (account: Account) => ({
  ...accountKey(account.id as AccountId),
  type: 'account',
  ...account,
});
