import type { AccountId } from '../../shared/id/account-id.ts';
import { deleteAll } from '../../shared/table/batch-write.ts';
import { type Item, isTombstone, recordOf } from '../../shared/table/item.ts';
import { readTenantPartition } from '../../shared/table/keys.ts';
import { sideBySide } from '../../shared/table/side-by-side.ts';
import { belongsOnlyTo } from '../../shared/users/rules.ts';
import type { StoredUser } from '../../shared/users/schema.ts';
import { users } from '../../shared/users/store.ts';
import { scanTable } from './scan-table.ts';
import { isAbout, settleUser } from './settle-user.ts';

/** How many items there are of each type. */
export type Counts = Record<string, number>;

/** What a scan of the table found of an account. */
export interface Swept {
  /** Its items, and those across accounts that are about it, by type. */
  items: Counts;
  /** Users that have to do with it, wherever they are stored, and those that are gone now. */
  users: number;
  usersRemoved: number;
  /** Items of other accounts that name it. */
  elsewhere: Counts;
  /** Whether the account itself is there. */
  closed: boolean;
  /** How much of it all there was to remove. */
  found: number;
}

/** So many batches, and users, at once. */
const atOnce = 8;

/**
 * Goes over the whole table and removes what is of an account, but for the account itself; `count`: counts it only. Throws where
 * something could not be removed.
 */
export async function sweepTable(account: AccountId, { count }: { count: boolean }): Promise<Swept> {
  const swept: Swept = { items: {}, users: 0, usersRemoved: 0, elsewhere: {}, closed: false, found: 0 };
  const named = standsAlone(account);
  const settle = async (user: StoredUser): Promise<void> => {
    if ((await settleUser(account, user)) === 'removed') swept.usersRemoved += 1;
  };
  for await (const items of scanTable('Items read')) {
    const gone: Item[] = [];
    const about: StoredUser[] = [];
    for (const item of items) {
      const trace = traceOf(item, account, named);
      if (trace === 'account') swept.closed = true;
      if (trace === 'elsewhere') tally(swept.elsewhere, item);
      if (trace === 'user') about.push(recordOf<StoredUser>(item));
      if (trace === 'own' || (trace === 'email' && !(await hasUser(account, item)))) gone.push(item);
    }
    for (const item of gone) tally(swept.items, item);
    swept.users += about.length;
    swept.found += gone.length + about.length;
    if (count) {
      swept.usersRemoved += about.filter((user) => belongsOnlyTo(account, user)).length;
      continue;
    }
    for (let start = 0; start < about.length; start += atOnce)
      await Promise.all(about.slice(start, start + atOnce).map(settle));
    await removeAll(gone);
  }
  return swept;
}

type Trace = 'account' | 'own' | 'user' | 'email' | 'elsewhere';

/** What an item is to the erasure of an account; undefined where it has nothing to do with it. */
function traceOf(item: Item, account: AccountId, named: RegExp): Trace | undefined {
  const { type, home } = item;
  const isOwn = readTenantPartition(item.pk)?.account === account;
  if (isOwn && item.sk === 'ACCOUNT') return 'account';
  if (type === 'user' && isAbout(account, recordOf<StoredUser>(item))) return 'user';
  if (isOwn) return 'own';
  if (type === 'email' && home === account) return 'email';
  if (isOfNobodyElse(item, account)) return 'own';
  return named.test(JSON.stringify(item)) ? 'elsewhere' : undefined;
}

/**
 * Across accounts: an invitation or a reset of somebody who is stored in the account, its row in the directory, and a replay that
 * had come to it, which begins anew. Who failed to log in is known by a digest, which goes within 15 minutes.
 */
function isOfNobodyElse({ type, home, accountId, account: at }: Item, account: AccountId): boolean {
  if (type === 'password-token') return home === account;
  if (type === 'listed account') return accountId === account;
  return type === 'replay' && at === account;
}

/** The id where it is no part of another one. */
const standsAlone = (account: AccountId): RegExp => new RegExp(`(?<![\\w-])${account}(?![\\w-])`);

/** An email goes with its user. Left over is none: both are written in one transaction. */
const hasUser = async (account: AccountId, { id }: Item): Promise<boolean> =>
  (await users.find({ home: account, id: Number(id) })) !== undefined;

function tally(counts: Counts, item: Item): void {
  const type = typeof item.type === 'string' ? item.type : isTombstone(item) ? 'tombstone' : 'counter';
  counts[type] = (counts[type] ?? 0) + 1;
}

async function removeAll(items: readonly Item[]): Promise<void> {
  const share = Math.ceil(items.length / atOnce);
  const shares = Array.from({ length: atOnce }, (_, n) => items.slice(n * share, (n + 1) * share));
  const left = (await sideBySide(shares.map(deleteAll))).flat();
  if (left.length > 0) throw new Error(`${left.length} items could not be removed: run it again.`);
}
