import {
  closingKey,
  closingNoun,
  erasedAccountAcrossAccountsKey,
  erasedAccountsAcrossAccountsPartition,
} from '../accounts/keys.ts';
import type { AccountId } from '../id/account-id.ts';
import { dueAcrossAccountsKey } from '../table/due-keys.ts';
import { type Item, recordOf } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { deleteItem, ifEquals, putItem, type TransactItem, type Write } from '../table/operations.ts';
import { getItem, queryItems } from '../table/read.ts';
import { newRevision, putRevised, type RevisedItem, revisedPut } from '../table/revised-item.ts';
import type { Counts } from './erase-items.ts';

/** A stored part of an export. */
interface StoredPart {
  /** The object's key. */
  key: string;
  /** In bytes. */
  size: number;
}

export interface ExportProgress {
  parts: StoredPart[];
  counts: Counts;
  /** Where the next step continues to read the table. Absent before the first step and after the last page. */
  after?: Key;
  /** True if all pages of the table were read. */
  allRead?: true;
  /** The SHA-256 of all lines except the last. Set when the export is complete. */
  sha256?: string;
}

/** The counts of an erasure. After an interruption, they can be too low, but never too high. */
interface RemovedCounts {
  items: Counts;
  users: number;
  usersRemoved: number;
  files: number;
}

export interface ErasureProgress {
  startedAt: string;
  removed: RemovedCounts;
  /** The time of the last removal, in milliseconds since 1970. */
  lastRemoval: number;
  /** The newest seal of the account's event log, if there is one. */
  lastSeal?: { version: number; to: string; hash: string };
  /** The present pass over the bucket and the whole table. */
  pass: {
    /** In milliseconds since 1970. */
    began: number;
    /** The number of objects, items and users that this pass found. */
    found: number;
    filesDone?: true;
    after?: Key;
    /** Items of other accounts that mention this account. */
    elsewhere: Counts;
    /** The number of `ownLogs` at the start of the pass. */
    logs: number;
  };
  /** The logs of users who belong to no other account. Passes remove their items. */
  ownLogs: AccountId[];
  /** The first of `ownLogs`, whose items an earlier pass removed. Passes remove their users. */
  removedLogs: AccountId[];
}

/** The progress of the export and the erasure of a closed account. */
export interface Closing {
  account: AccountId;
  name: string;
  /** The account's parent, if it has one. */
  parentAccountId?: AccountId | undefined;
  closedAt: string;
  closedBy: string;
  erasesAt: string;
  /** When the next step is due: ISO 8601 with milliseconds. */
  due: string;
  export: ExportProgress;
  erasure?: ErasureProgress;
}

export type StoredClosing = Closing & { revision: string };

/** The proof that an account was erased. */
export interface ErasedAccount extends Omit<Closing, 'due' | 'export' | 'erasure'> {
  erasedAt: string;
  removed: RemovedCounts;
  /** The result of the last pass. It began after all functions that could change the account had ended. */
  finalCheck: { items: number; files: number; elsewhere: Counts };
  /** The SHA-256 of the export, which the account's administrators could download. */
  exportSha256?: string;
  lastSeal?: ErasureProgress['lastSeal'];
}

export const closings = {
  async find(account: AccountId): Promise<StoredClosing | undefined> {
    const item = await getItem(closingKey(account));
    return item && recordOf<StoredClosing>(item);
  },

  insert: (closing: Closing): Write => putItem(itemOf(closing)),

  remove: (account: AccountId): Write => deleteItem(closingKey(account)),

  /** Stores the progress. Returns undefined if another write came first. */
  async advance(before: StoredClosing, after: Closing): Promise<StoredClosing | undefined> {
    const item = itemOf(after);
    return (await putRevised(item, before.revision)) ? { ...after, revision: item.revision } : undefined;
  },

  /** The same as `advance`, as a write of a transaction. */
  advanceWrite: (before: StoredClosing, after: Closing): Write => revisedPut(itemOf(after), before.revision),

  /** Replaces the closing by the proof of the erasure. */
  finish: ({ account, revision }: StoredClosing, proof: ErasedAccount): Write[] => [
    deleteIfRevision(closingKey(account), revision),
    putItem({ ...erasedAccountAcrossAccountsKey(account), type: 'erased-account', ...proof }),
  ],

  /** All erased accounts. For operators only. */
  async listErased(): Promise<ErasedAccount[]> {
    const items = await queryItems({ partition: erasedAccountsAcrossAccountsPartition() });
    return items.map((item) => recordOf<ErasedAccount>(item));
  },
};

function itemOf(closing: Closing): RevisedItem {
  const { account, due: at } = closing;
  return {
    ...closing,
    ...closingKey(account),
    type: 'account-closing',
    ...dueAcrossAccountsKey({ account, noun: closingNoun, id: closingNoun, at }),
    revision: newRevision(),
  } satisfies Item;
}

const deleteIfRevision = (key: Key, revision: string): TransactItem => ({
  operation: { Delete: { Key: key, ...ifEquals('revision', revision) } },
  otherwise: 'conflict',
});
