import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { recordOf } from '../table/item.ts';
import { accountKey } from '../table/keys.ts';
import { putIfAbsent, putIfVersion, type Write } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import type { Account } from './schema.ts';

/** Tenants. Authentication has read the named one by the time a handler runs. */
export const accounts = {
  subject: 'account' as const,

  async get(id: AccountId): Promise<Account> {
    const item = await getItem(accountKey(id));
    if (!item) throw new ApiError('not_found');
    return recordOf<Account>(item);
  },

  insert: (account: Account): Write[] => [putIfAbsent(itemOf(account))],

  replace: (before: Account, after: Account): Write[] =>
    before === after ? [] : [putIfVersion(itemOf(after), before.version)],
};

const itemOf = (account: Account) => ({
  ...accountKey(account.id),
  type: 'account',
  ...account,
});
