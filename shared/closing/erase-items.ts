import type { AccountId } from '../id/account-id.ts';
import { isTokenOf, type StoredToken } from '../people/users/password-tokens.ts';
import { withoutAccount } from '../people/users/remove-member.ts';
import { ownLogOf } from '../people/users/rules.ts';
import type { InvitedUser, StoredUser } from '../people/users/schema.ts';
import { type OpenInvitations, users } from '../people/users/store.ts';
import { deleteAll } from '../table/batch-write.ts';
import { inBatches } from '../table/in-batches.ts';
import { inParallel } from '../table/in-parallel.ts';
import { type Item, isTombstone, recordOf } from '../table/item.ts';
import { readTenantPartition } from '../table/keys.ts';
import { deleteIfEquals } from '../table/operations.ts';
import { transact, VersionConflict } from '../table/transact.ts';
import { refersTo, removeFromAccount } from './remove-from-account.ts';

/** Item counts by type. */
export type Counts = Record<string, number>;

/** The items that a scan of the table found for an account. */
export interface ErasedItems {
  /** The account's items by type, including items stored across accounts. */
  items: Counts;
  /** The number of users related to the account, and how many of them were removed. */
  users: number;
  usersRemoved: number;
  /** Items of other accounts that mention this account. */
  elsewhere: Counts;
  /** True if the account record, its tombstone or its closing exists. */
  closed: boolean;
  /** The number of call counters in `items`. Requests create new counters, even for an erased account. */
  calls: number;
  /** The number of items and users found, without call counters. */
  found: number;
}

/** The number of batches or users that are processed in parallel. */
const parallelism = 8;

interface EraseOptions {
  /** Only counts the items. */
  count: boolean;
  /** The items to search: the whole table, or a part of the table. */
  pages: AsyncIterable<readonly Item[]>;
  /** The logs of users who belong to no other account. Their items are removed. */
  ownLogs: Set<AccountId>;
  /** `ownLogs` has at most this many logs. The users of further logs are left to later scans. Default: no limit. */
  mostLogs?: number;
  /**
   * The logs that an earlier scan of the whole table removed. Their users are removed. Default: the logs that `ownLogs`
   * contained before, because `pages` is the whole table.
   */
  removedLogs?: ReadonlySet<AccountId>;
  /** Returns the deadline of a write, in milliseconds since 1970. */
  writeDeadline: () => number;
  /** Deletes the raw mails with these keys. Their keys name no account, so only the records of mails lead to them. */
  removeRawMails: (keys: readonly string[]) => Promise<void>;
}

/**
 * Removes the items of an account from the searched items, except the account record and its closing. Throws if an item
 * could not be removed. Pass the same `ownLogs` to every scan of an erasure. A user who belongs to no other account is
 * removed in two scans: the first scan adds the user's own log to `ownLogs`, and the next scan removes the log and then
 * the user. If the user were removed first, the log could remain after an interruption.
 */
export async function eraseItems(
  account: AccountId,
  {
    count,
    pages,
    ownLogs,
    mostLogs = Number.POSITIVE_INFINITY,
    removedLogs,
    writeDeadline,
    removeRawMails,
  }: EraseOptions,
): Promise<ErasedItems> {
  const result: ErasedItems = {
    items: {},
    users: 0,
    usersRemoved: 0,
    elsewhere: {},
    closed: false,
    calls: 0,
    found: 0,
  };
  const mention = new RegExp(`(?<![\\w-])${account}(?![\\w-])`);
  const eraseUser = async (user: InvitedUser): Promise<void> => {
    const outcome = await removeFromAccount(account, user, writeDeadline());
    if (outcome) result.users += 1;
    if (outcome === 'removed') result.usersRemoved += 1;
  };
  const leaving: InvitedUser[] = [];
  for await (const items of pages) {
    const own: Item[] = [];
    const orphans: Item[] = [];
    const found: StoredUser[] = [];
    for (const item of items) {
      const relation = relationOf(item, { account, ownLogs, mention });
      if (relation === 'account') result.closed = true;
      if (relation === 'elsewhere') tally(result.elsewhere, item);
      if (relation === 'user') found.push(recordOf<StoredUser>(item));
      if (relation === 'invitations') {
        const user = await users.find(addressOf(item));
        if (!user) own.push(item);
        // Otherwise, the scan also finds the item of the person.
        else if (!refersTo(account, user)) found.push(user);
      }
      // The transaction that moves or removes the person also moves or removes the factors.
      if (relation === 'factors' && !(await users.find(addressOf(item)))) own.push(item);
      if (relation === 'calls') result.calls += 1;
      if (relation === 'own' || relation === 'calls') own.push(item);
      if (relation === 'pointer' && !(await hasUser(account, item))) orphans.push(item);
    }
    const related = await Promise.all(found.map((user) => users.withInvitations(user)));
    for (const item of [...own, ...orphans]) tally(result.items, item);
    result.found += related.length;
    const onlyHere = related.filter((user) => !withoutAccount(user, account));
    if (count) {
      result.users += related.length;
      result.usersRemoved += onlyHere.length;
      continue;
    }
    for (const user of onlyHere) {
      const log = ownLogOf(user);
      if ((removedLogs ?? ownLogs).has(log)) leaving.push(user);
      if (ownLogs.size < mostLogs) ownLogs.add(log);
    }
    const staying = related.filter((user) => !onlyHere.includes(user));
    await inBatches(parallelism, staying, eraseUser);
    await inBatches(parallelism, orphans, (pointer) => removePointer(account, pointer, writeDeadline()));
    // If the process stops here, the next scan finds the records of the mails again.
    await removeRawMails(own.flatMap(rawKeysOf));
    await removeAll(own);
  }
  await inBatches(parallelism, leaving, eraseUser);
  result.found += total(result.items) - result.calls;
  return result;
}

const total = (counts: Counts): number => Object.values(counts).reduce((sum, many) => sum + many, 0);

type Relation = 'account' | 'own' | 'calls' | 'user' | 'invitations' | 'factors' | 'pointer' | 'elsewhere';

/** The relation of an item to the account; undefined if there is none. */
function relationOf(
  item: Item,
  { account, ownLogs, mention }: { account: AccountId; ownLogs: ReadonlySet<AccountId>; mention: RegExp },
): Relation | undefined {
  const { type, home } = item;
  const of = readTenantPartition(item.pk)?.account;
  const isOwn = of === account || (of !== undefined && ownLogs.has(of));
  if (isOwn && (type === 'account' || type === 'account-closing')) return 'account';
  if (type === 'user' && refersTo(account, recordOf<StoredUser>(item))) return 'user';
  if (type === 'open-invitations' && (isOwn || recordOf<OpenInvitations>(item).accounts.includes(account)))
    return 'invitations';
  if (isOwn && type === 'factors') return 'factors';
  if (isOwn) return isCallCounter(item) ? 'calls' : 'own';
  if ((type === 'email' || type === 'passkey-holder') && home === account) return 'pointer';
  if (isOwnAcrossAccounts(item, account)) return 'own';
  return mention.test(JSON.stringify(item)) ? 'elsewhere' : undefined;
}

const rawKeysOf = ({ type, rawKey }: Item): string[] =>
  type === 'mail' && typeof rawKey === 'string' ? [rawKey] : [];

/** Returns the address of the person who owns an item in the person's partition. */
function addressOf({ pk }: Item): { home: AccountId; id: number } {
  const { account: home, parts: [, id] = [] } = readTenantPartition(pk) ?? {};
  if (!home) throw new Error('The item is in no partition of an account.');
  return { home, id: Number(id) };
}

/**
 * Reports whether an item stored across accounts belongs to the account: a password token, the directory item, a held vanity
 * domain or mail domain, or the progress of a replay. If the progress of an interrupted replay is removed, the next run of the
 * replay starts from the beginning. Items of failed logins contain no account and expire in 15 minutes.
 */
function isOwnAcrossAccounts(item: Item, account: AccountId): boolean {
  const { type, accountId, account: at } = item;
  if (type === 'password-token') return isTokenOf(recordOf<StoredToken>(item), account);
  if (type === 'listed-account') return accountId === account;
  if (type === 'vanity-domain-holder' || type === 'mail-domain-holder') return item.home === account;
  return type === 'replay' && at === account;
}

/**
 * Reports whether an item counts requests per minute or wrong keys. New requests add such items even after
 * the erasure.
 */
const isCallCounter = ({ pk, type, expiresAtSeconds }: Item): boolean =>
  readTenantPartition(pk)?.parts[0] === 'CALLS' && type === undefined && expiresAtSeconds !== undefined;

/**
 * Reports whether the user of an email or of a passkey holder exists. These items and the user are always written and
 * deleted together, so such an item without its user is damaged data.
 */
const hasUser = async (account: AccountId, { id }: Item): Promise<boolean> =>
  (await users.find({ home: account, id: Number(id) })) !== undefined;

function tally(counts: Counts, item: Item): void {
  const type = typeof item.type === 'string' ? item.type : isTombstone(item) ? 'tombstone' : 'counter';
  counts[type] = (counts[type] ?? 0) + 1;
}

/** Removes an email item. Keeps the item if another erasure has moved the email's user to another account. */
async function removePointer(account: AccountId, pointer: Item, deadline: number): Promise<void> {
  try {
    await transact([deleteIfEquals(pointer, 'home', account)], deadline);
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
  }
}

async function removeAll(items: readonly Item[]): Promise<void> {
  const share = Math.ceil(items.length / parallelism);
  const shares = Array.from({ length: parallelism }, (_, n) => items.slice(n * share, (n + 1) * share));
  const left = (await inParallel(shares.map(deleteAll))).flat();
  if (left.length > 0) throw new Error(`${left.length} items could not be removed. The next run continues.`);
}
