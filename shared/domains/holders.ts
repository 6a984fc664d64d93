import type { AccountId } from '../id/account-id.ts';
import { recordOf } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import {
  deleteIfEquals,
  ifEquals,
  putIfAbsent,
  putIfEquals,
  type TransactItem,
} from '../table/operations.ts';
import { getItem } from '../table/read.ts';

/** The account that holds a domain, and the id of the domain in this account. */
export interface DomainHolder {
  home: AccountId;
  domainId: number;
}

/** The record of a domain in an account. */
interface HeldDomain {
  domain: string;
  accountId: AccountId;
  id: number;
}

/** Returns the store of the items that name the only account that holds a domain. `type` is the type of these items. */
export const holdersOf = (type: string, keyOf: (domain: string) => Key) => ({
  async find(domain: string): Promise<DomainHolder | undefined> {
    const item = await getItem(keyOf(domain));
    return item && recordOf<DomainHolder>(item);
  },

  /** Makes the account of a domain its holder, in place of the holder that was read. */
  take({ domain, accountId, id }: HeldDomain, before: DomainHolder | undefined): TransactItem {
    const item = { ...keyOf(domain), type, home: accountId, domainId: id };
    return before ? putIfEquals(item, 'home', before.home) : putIfAbsent(item);
  },

  /** Fails if another account became the holder. */
  isHolder: ({ domain, accountId }: Pick<HeldDomain, 'domain' | 'accountId'>): TransactItem => ({
    operation: { ConditionCheck: { Key: keyOf(domain), ...ifEquals('home', accountId) } },
    otherwise: 'conflict',
  }),

  release: ({ domain, accountId }: HeldDomain): TransactItem =>
    deleteIfEquals(keyOf(domain), 'home', accountId),
});
