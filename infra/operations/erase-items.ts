import type { AccountId } from '../../shared/id/account-id.ts';
import { belongsOnlyTo, ownLogOf } from '../../shared/people/users/rules.ts';
import type { StoredUser } from '../../shared/people/users/schema.ts';
import { users } from '../../shared/people/users/store.ts';
import { deleteAll } from '../../shared/table/batch-write.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { type Item, isTombstone, recordOf } from '../../shared/table/item.ts';
import { readTenantPartition } from '../../shared/table/keys.ts';
import { deleteIfAt } from '../../shared/table/operations.ts';
import { transact, VersionConflict } from '../../shared/table/transact.ts';
import { refersTo, removeFromAccount } from './remove-from-account.ts';
import { scanTable } from './scan-table.ts';

/** How many items there are of each type. */
export type Counts = Record<string, number>;

/** What a scan of the table found of an account. */
export interface ErasedItems {
  /** Its items, and those across accounts that are about it, by type. */
  items: Counts;
  /** Users that have to do with it, wherever they are stored, and those that are gone now. */
  users: number;
  usersRemoved: number;
  /** Items of other accounts that name it. */
  elsewhere: Counts;
  /** Whether the account itself is there. */
  closed: boolean;
  /** Counters of calls among its items: whoever still calls makes them anew, of an account that is gone too. */
  calls: number;
  /** How much there was to remove, but for those. */
  found: number;
}

/** So many batches, and users, at once. */
const atOnce = 8;

/**
 * Goes over the whole table and removes what is of an account, but for the account itself; `count`: counts it only. Throws where
 * something could not be removed. `ownLogs` are those of users that leave with the account, for one scan after another: a user goes
 * only at the end of one that looked for its log, so that none is left whose user nobody knows.
 */
export async function eraseItems(
  account: AccountId,
  { count, ownLogs }: { count: boolean; ownLogs: Set<AccountId> },
): Promise<ErasedItems> {
  const swept: ErasedItems = {
    items: {},
    users: 0,
    usersRemoved: 0,
    elsewhere: {},
    closed: false,
    calls: 0,
    found: 0,
  };
  const named = standsAlone(account);
  const settle = async (user: StoredUser): Promise<void> => {
    const became = await removeFromAccount(account, user);
    if (became) swept.users += 1;
    if (became === 'removed') swept.usersRemoved += 1;
  };
  const leaving: StoredUser[] = [];
  for await (const items of scanTable('Items read')) {
    const gone: Item[] = [];
    const orphans: Item[] = [];
    const about: StoredUser[] = [];
    for (const item of items) {
      const trace = traceOf(item, { account, ownLogs, named });
      if (trace === 'account') swept.closed = true;
      if (trace === 'elsewhere') tally(swept.elsewhere, item);
      if (trace === 'user') about.push(recordOf<StoredUser>(item));
      if (trace === 'calls') swept.calls += 1;
      if (trace === 'own' || trace === 'calls') gone.push(item);
      if (trace === 'email' && !(await hasUser(account, item))) orphans.push(item);
    }
    for (const item of [...gone, ...orphans]) tally(swept.items, item);
    swept.found += about.length;
    if (count) {
      swept.users += about.length;
      swept.usersRemoved += about.filter((user) => belongsOnlyTo(account, user)).length;
      continue;
    }
    const staying = about.filter((user) => !belongsOnlyTo(account, user));
    for (const user of about.filter((user) => belongsOnlyTo(account, user))) {
      if (ownLogs.has(ownLogOf(user))) leaving.push(user);
      ownLogs.add(ownLogOf(user));
    }
    await eachOf(staying, settle);
    await eachOf(orphans, (email) => removeEmail(account, email));
    await removeAll(gone);
  }
  await eachOf(leaving, settle);
  swept.found += total(swept.items) - swept.calls;
  return swept;
}

const total = (counts: Counts): number => Object.values(counts).reduce((sum, many) => sum + many, 0);

type Trace = 'account' | 'own' | 'calls' | 'user' | 'email' | 'elsewhere';

/** What an item is to the erasure of an account; undefined where it has nothing to do with it. */
function traceOf(
  item: Item,
  { account, ownLogs, named }: { account: AccountId; ownLogs: ReadonlySet<AccountId>; named: RegExp },
): Trace | undefined {
  const { type, home } = item;
  const of = readTenantPartition(item.pk)?.account;
  const isOwn = of === account || (of !== undefined && ownLogs.has(of));
  if (isOwn && item.sk === 'ACCOUNT') return 'account';
  if (type === 'user' && refersTo(account, recordOf<StoredUser>(item))) return 'user';
  if (isOwn) return isCallCounter(item) ? 'calls' : 'own';
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

/** Calls in a minute, or wrong keys from a network: an ended session and whoever guesses are counted too. */
const isCallCounter = ({ pk, type, expiresAtSeconds }: Item): boolean =>
  readTenantPartition(pk)?.parts[0] === 'CALLS' && type === undefined && expiresAtSeconds !== undefined;

/** The id where it is no part of another one. */
const standsAlone = (account: AccountId): RegExp => new RegExp(`(?<![\\w-])${account}(?![\\w-])`);

/** An email goes with its user. Left over is none: both are written in one transaction. */
const hasUser = async (account: AccountId, { id }: Item): Promise<boolean> =>
  (await users.find({ home: account, id: Number(id) })) !== undefined;

function tally(counts: Counts, item: Item): void {
  const type = typeof item.type === 'string' ? item.type : isTombstone(item) ? 'tombstone' : 'counter';
  counts[type] = (counts[type] ?? 0) + 1;
}

/** Removes an email that is still of the account: another erasure may have moved its user meanwhile. */
async function removeEmail(account: AccountId, email: Item): Promise<void> {
  try {
    await transact([deleteIfAt(email, account)], Date.now() + 60_000);
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
  }
}

async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < all.length; start += atOnce)
    await Promise.all(all.slice(start, start + atOnce).map(work));
}

async function removeAll(items: readonly Item[]): Promise<void> {
  const share = Math.ceil(items.length / atOnce);
  const shares = Array.from({ length: atOnce }, (_, n) => items.slice(n * share, (n + 1) * share));
  const left = (await inParallel(shares.map(deleteAll))).flat();
  if (left.length > 0) throw new Error(`${left.length} items could not be removed: run it again.`);
}
