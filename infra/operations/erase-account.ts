import { setTimeout as sleep } from 'node:timers/promises';
import { accountKey, listedAccountAcrossAccountsKey } from '../../shared/accounts/keys.ts';
import type { StoredAccount } from '../../shared/accounts/schema.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { isTombstone, recordOf } from '../../shared/table/item.ts';
import { deleteItem, putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import type { QueueCheck } from './account-messages.ts';
import { type Counts, type ErasedItems, eraseItems } from './erase-items.ts';
import { progressBar } from './progress-bar.ts';
import { writeDeadline } from './scan-table.ts';

/** Removes what lies outside of the table, or counts it only, and returns how much there was. */
type SweepOutside = (account: AccountId, how: { count: boolean }) => Promise<number>;

/** What an erasure works on beside the table. */
interface Outside {
  files: SweepOutside;
  deadLetters: SweepOutside;
  /** Waits until consumers have worked what was sent before an instant, in milliseconds since 1970. */
  queues: (since: number) => Promise<QueueCheck>;
}

/** What was found of an account, or removed. */
export interface ErasureCounts {
  /** Items by their types. */
  items: Counts;
  /** Users that have to do with it; those of them that belong to no other account go. */
  users: number;
  usersRemoved: number;
  files: number;
  deadLetters: number;
}

/** What the last look at everything found. */
export interface FinalCheck {
  items: number;
  /** Counters of calls that were refused meanwhile. They were removed, expire by themselves, and come with each further call. */
  calls: number;
  files: number;
  deadLetters: number;
  queues: QueueCheck;
  /** Items of other accounts that name this one, and stay: an event whose request did. */
  elsewhere: Counts;
}

/** The name of an account that is there, also of one whose erasure was begun; undefined where there is none. */
export async function nameOfAccount(account: AccountId): Promise<string | undefined> {
  const item = await getItem(accountKey(account));
  return item && recordOf<StoredAccount>(item).name;
}

/**
 * What whoever erases an account has to type: its name, without the blanks around it, which nobody sees; the id of one whose name is
 * nothing else.
 */
export const confirmationOf = (account: AccountId, name: string): string => name.trim() || account;

/** Counts what an erasure would remove. */
export async function previewErasure(
  account: AccountId,
  outside: Omit<Outside, 'queues'>,
): Promise<ErasureCounts> {
  const erased = nothing();
  add(erased, await lookAtAll(account, outside, { count: true, ownLogs: new Set() }));
  return erased;
}

/**
 * Erases an account, in steps of which any may be interrupted: called again it goes on. It closes the account, so that every door
 * refuses it. Then it removes what a scan of the whole table finds and what lies in the bucket and the queues, until one finds
 * nothing that began `wait` milliseconds after the last removal: longer than any function runs, so that nobody is at work any
 * more who read something before. Consumers bring nothing back: what is gone has no members, webhooks and work queues, and an
 * audit entry goes without its record.
 */
export async function eraseAccount(
  account: AccountId,
  outside: Outside,
  wait: number,
): Promise<{ removed: ErasureCounts; proof: FinalCheck }> {
  await close(account);
  const closedAt = Date.now();
  const removed = nothing();
  const ownLogs = new Set<AccountId>();
  let queues: QueueCheck | undefined;
  for (let lastRemoval = closedAt; ; ) {
    const began = Date.now();
    const found = await lookAtAll(account, outside, { count: false, ownLogs });
    add(removed, found);
    const { table, files, deadLetters } = found;
    if (table.found + files + deadLetters > 0) {
      lastRemoval = Date.now();
      continue;
    }
    if (queues && !table.closed && began >= lastRemoval + wait)
      return {
        removed,
        proof: {
          items: table.found,
          calls: table.calls,
          files,
          deadLetters,
          queues,
          elsewhere: table.elsewhere,
        },
      };
    await pause(lastRemoval + wait - Date.now());
    queues = await outside.queues(closedAt);
    // Last: as long as there is anything else, an erasure that goes on asks for its name.
    if (table.closed) await transact([deleteItem(accountKey(account))], writeDeadline());
  }
}

/** Every door refuses an account that is a tombstone. No command finds an account that is not in the directory. */
async function close(account: AccountId): Promise<void> {
  const item = await getItem(accountKey(account));
  if (!item || isTombstone(item)) return;
  const { id, name } = recordOf<StoredAccount>(item);
  const closed = { ...accountKey(account), type: 'account', id, name, deletedAt: new Date().toISOString() };
  await transact([putItem(closed), deleteItem(listedAccountAcrossAccountsKey(account))], writeDeadline());
}

interface Look {
  table: ErasedItems;
  files: number;
  deadLetters: number;
}

async function lookAtAll(
  account: AccountId,
  outside: Omit<Outside, 'queues'>,
  how: { count: boolean; ownLogs: Set<AccountId> },
): Promise<Look> {
  return {
    table: await eraseItems(account, how),
    files: await outside.files(account, how),
    deadLetters: await outside.deadLetters(account, how),
  };
}

const nothing = (): ErasureCounts => ({ items: {}, users: 0, usersRemoved: 0, files: 0, deadLetters: 0 });

function add(erased: ErasureCounts, { table, files, deadLetters }: Look): void {
  for (const [type, many] of Object.entries(table.items))
    erased.items[type] = (erased.items[type] ?? 0) + many;
  erased.users += table.users;
  erased.usersRemoved += table.usersRemoved;
  erased.files += files;
  erased.deadLetters += deadLetters;
}

async function pause(milliseconds: number): Promise<void> {
  const bar = progressBar('Seconds waited for whoever is at work', Math.ceil(milliseconds / 1000));
  for (const end = Date.now() + milliseconds; Date.now() < end; bar.advance())
    await sleep(Math.min(1000, end - Date.now()));
  bar.end();
}
