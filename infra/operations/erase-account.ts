import { setTimeout as sleep } from 'node:timers/promises';
import { accountKey, closingKey, listedAccountAcrossAccountsKey } from '../../shared/accounts/keys.ts';
import type { StoredAccount } from '../../shared/accounts/schema.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { leaveParent } from '../../shared/child-accounts/children.ts';
import { type Counts, eraseItems } from '../../shared/closing/erase-items.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { recordOf } from '../../shared/table/item.ts';
import { deleteItem, putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import { progressBar } from '../administration/progress-bar.ts';
import type { QueueCheck } from './account-messages.ts';
import { scanTable, writeDeadline } from './scan-table.ts';

/**
 * Removes an account's data from one place outside of the table. If `count` is true, only counts the data.
 * Returns the count.
 */
type EraseOutside = (account: AccountId, options: { count: boolean }) => Promise<number>;

/** The places outside of the table that contain data of accounts. */
interface Outside {
  files: EraseOutside;
  deadLetters: EraseOutside;
  /** Deletes raw mails by their keys. */
  rawMails: (keys: readonly string[]) => Promise<void>;
  /** Waits until consumers have processed all messages sent before an instant, in milliseconds since 1970. */
  queues: (since: number) => Promise<QueueCheck>;
}

export interface ErasureCounts {
  items: Counts;
  /** All users related to the account. Users who belong to no other account are removed. */
  users: number;
  usersRemoved: number;
  files: number;
  deadLetters: number;
}

export interface FinalCheck {
  items: number;
  /**
   * Counters of requests for the closed account. They were also removed, but each later request adds a new
   * counter.
   */
  calls: number;
  files: number;
  deadLetters: number;
  queues: QueueCheck;
  /** Items of other accounts that mention this account, such as events. They are kept. */
  elsewhere: Counts;
}

/** The name of an account, even while the account is being erased. Undefined if the account does not exist. */
export async function nameOfAccount(account: AccountId): Promise<string | undefined> {
  const item = await getItem(accountKey(account));
  return item && recordOf<StoredAccount>(item).name;
}

export async function previewErasure(
  account: AccountId,
  outside: Omit<Outside, 'queues'>,
): Promise<ErasureCounts> {
  const erased = noCounts();
  add(erased, await scanAll(account, outside, { count: true, ownLogs: new Set() }));
  return erased;
}

/**
 * Erases an account. First closes the account, so that all requests are rejected. Then scans the table, the
 * bucket and the dead letters, and removes the data found. The erasure ends when a scan that began `wait`
 * milliseconds after the last removal finds nothing. `wait` must be at least the longest timeout of a
 * function, so that the functions that read the account before it was closed have ended before this scan.
 * Consumers that run later write no data, because they find no members, webhooks, queued work or records.
 * After an interruption, a second call continues the erasure.
 */
export async function eraseAccount(
  account: AccountId,
  outside: Outside,
  wait: number,
): Promise<{ removed: ErasureCounts; proof: FinalCheck }> {
  await close(account);
  const closedAt = Date.now();
  const removed = noCounts();
  const ownLogs = new Set<AccountId>();
  let queues: QueueCheck | undefined;
  for (let lastRemoval = closedAt; ; ) {
    const began = Date.now();
    const found = await scanAll(account, outside, { count: false, ownLogs });
    add(removed, found);
    const { table, files, deadLetters } = found;
    if (table.found + files + deadLetters > 0) {
      lastRemoval = Date.now();
      continue;
    }
    if (queues && !table.closed && began >= lastRemoval + wait) {
      const { found: items, calls, elsewhere } = table;
      return { removed, proof: { items, calls, files, deadLetters, queues, elsewhere } };
    }
    await pause(lastRemoval + wait - Date.now());
    queues = await outside.queues(closedAt);
    // Removes the account record last. If the erasure is interrupted earlier, the next call can still ask for
    // the account's name.
    if (table.closed)
      await transact([deleteItem(accountKey(account)), deleteItem(closingKey(account))], writeDeadline());
  }
}

/**
 * Replaces the account with a tombstone, so that requests are rejected, and removes it from the lists of accounts. Also
 * removes the closing of an account that was deleted through the API, so that the service does not erase it at the same time.
 */
async function close(account: AccountId): Promise<void> {
  const record = await accounts.find(account);
  if (!record) return;
  const { id, name } = record;
  const closed = { ...accountKey(account), type: 'account', id, name, deletedAt: new Date().toISOString() };
  const unlisted = [deleteItem(listedAccountAcrossAccountsKey(account)), ...(await leaveParent(record))];
  await transact([putItem(closed), ...unlisted, deleteItem(closingKey(account))], writeDeadline());
}

async function scanAll(
  account: AccountId,
  outside: Omit<Outside, 'queues'>,
  options: { count: boolean; ownLogs: Set<AccountId> },
) {
  return {
    table: await eraseItems(account, {
      ...options,
      pages: scanTable(),
      writeDeadline,
      removeRawMails: outside.rawMails,
    }),
    files: await outside.files(account, options),
    deadLetters: await outside.deadLetters(account, options),
  };
}

const noCounts = (): ErasureCounts => ({ items: {}, users: 0, usersRemoved: 0, files: 0, deadLetters: 0 });

function add(
  erased: ErasureCounts,
  { table, files, deadLetters }: Awaited<ReturnType<typeof scanAll>>,
): void {
  for (const [type, many] of Object.entries(table.items))
    erased.items[type] = (erased.items[type] ?? 0) + many;
  erased.users += table.users;
  erased.usersRemoved += table.usersRemoved;
  erased.files += files;
  erased.deadLetters += deadLetters;
}

async function pause(milliseconds: number): Promise<void> {
  const bar = progressBar('Waiting for running functions, seconds', Math.ceil(milliseconds / 1000));
  for (const end = Date.now() + milliseconds; Date.now() < end; bar.advance())
    await sleep(Math.min(1000, end - Date.now()));
  bar.end();
}
