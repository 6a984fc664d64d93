import { notFound } from '../errors.ts';
import { byName } from '../events/subject.ts';
import type { AccountId } from '../id/account-id.ts';
import { isTombstone, recordOf } from '../table/item.ts';
import { putIfAbsent, putIfEquals, putIfVersion, putItem, type Write } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { listedAccount } from './directory.ts';
import { accountKey } from './keys.ts';
import { accountPolicy } from './policy-of.ts';
import type { Account, StoredAccount } from './schema.ts';
import { slaPolicies } from './sla-policies.ts';

/**
 * Accounts (tenants). Endpoints do not need to read the account of the request, because authentication has
 * already read it.
 */
export const accounts = {
  subject: 'account' as const,
  describe: byName,

  /** Returns undefined if the account does not exist or is being erased. */
  async find(id: AccountId): Promise<StoredAccount | undefined> {
    const item = await getItem(accountKey(id));
    return item && !isTombstone(item) ? recordOf<StoredAccount>(item) : undefined;
  },

  /** Like `find`, but throws `not_found`. */
  async get(id: AccountId): Promise<StoredAccount> {
    const account = await accounts.find(id);
    if (!account) throw notFound('account', id);
    return account;
  },

  /** Like `get`, for the account of the request. Throws `not_found` if `id` is another account. */
  async getOwn(own: AccountId, id: string): Promise<StoredAccount> {
    if (id !== own) throw notFound('account', id);
    return accounts.get(own);
  },

  insert: (account: StoredAccount): Write[] => [
    putIfAbsent(itemOf(account)),
    putItem(listedAccount(account.id)),
  ],

  /**
   * Returns the writes of a change. If the SLA policy changes, one of the writes stores the former policy.
   */
  replace: (before: StoredAccount, after: StoredAccount): Write[] => {
    if (before === after) return [];
    const put = putIfVersion(itemOf(after), before.version);
    const [was, is] = [accountPolicy(before), accountPolicy(after)];
    return was.number === is.number ? [put] : [put, slaPolicies.insert(before.id, was)];
  },

  /** The same as `replace`, for a request about another record. It is not compared with If-Match. */
  replaceOther: (before: StoredAccount, after: StoredAccount): Write[] =>
    before === after ? [] : [putIfEquals(itemOf(after), 'version', before.version)],

  show({
    slaPolicyVersion,
    givenPermissions,
    depth,
    bodyCaptureKey,
    signOnDomains,
    indexedAdditions,
    indexBuild,
    ...account
  }: StoredAccount): Account {
    return account;
  },
};

const itemOf = (account: StoredAccount) => ({ ...accountKey(account.id), type: 'account', ...account });
