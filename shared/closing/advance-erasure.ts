import { accountKey, listedAccountAcrossAccountsKey } from '../accounts/keys.ts';
import { accounts } from '../accounts/store.ts';
import { leaveParent } from '../child-accounts/children.ts';
import { readSealHead } from '../integrity/event-seals/store.ts';
import type { Item } from '../table/item.ts';
import { deleteItem, putIfVersion } from '../table/operations.ts';
import { scanPage } from '../table/scan-pages.ts';
import { transact, VersionConflict } from '../table/transact.ts';
import { type Counts, type ErasedItems, eraseItems } from './erase-items.ts';
import type { FilesBucket } from './files-bucket.ts';
import { removeObjects, removeRawMails } from './remove-objects.ts';
import {
  type Closing,
  closings,
  type ErasedAccount,
  type ErasureProgress,
  type StoredClosing,
} from './store.ts';

/**
 * The last pass begins at least this many milliseconds after the last removal: the longest timeout of a function. So all
 * functions that read the account before it was erased have ended.
 */
const longestTimeout = 60_000;
/** The logs of at most this many users are removed at the same time, so that the progress fits into an item. */
const mostLogs = 2_000;

interface Step {
  bucket: FilesBucket;
  now: Date;
  /** In milliseconds since 1970. After this time, the step reads no further page. */
  deadline: number;
  /** In milliseconds since 1970. Writes are not retried after this time. */
  writeDeadline: number;
}

/**
 * Begins the erasure: replaces the account with a tombstone, in one transaction with the progress. If an administrator
 * reopens the account at the same time, only one of the two succeeds. Returns undefined if the account was reopened.
 */
export async function beginErasure(
  closing: StoredClosing,
  { now, writeDeadline }: Step,
): Promise<StoredClosing | undefined> {
  const { account } = closing;
  const record = await accounts.find(account);
  if (record?.closedAt === undefined) return undefined;
  const { id, name, version } = record;
  const lastSeal = await readSealHead(account);
  const erasure: ErasureProgress = {
    startedAt: now.toISOString(),
    removed: { items: {}, users: 0, usersRemoved: 0, files: 0 },
    lastRemoval: now.getTime(),
    ...(lastSeal && { lastSeal: { version: lastSeal.version, to: lastSeal.to, hash: lastSeal.hash } }),
    pass: newPass(now, 0),
    ownLogs: [],
    removedLogs: [],
  };
  const tombstone = { ...accountKey(account), type: 'account', id, name, deletedAt: now.toISOString() };
  try {
    await transact(
      [
        putIfVersion(tombstone, version),
        deleteItem(listedAccountAcrossAccountsKey(account)),
        ...(await leaveParent(record)),
        closings.advanceWrite(closing, { ...closing, erasure, due: now.toISOString() }),
      ],
      writeDeadline,
    );
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    return undefined;
  }
  return closings.find(account);
}

/**
 * Makes the next step of an erasure: removes objects, or the items of some pages of the table. A step that was
 * interrupted is repeated. Returns the new progress, or the proof after a pass that found nothing.
 */
export async function advanceErasure(
  { account, erasure, ...closing }: Closing & { erasure: ErasureProgress },
  step: Step,
): Promise<{ erasure: ErasureProgress; due: Date } | { proof: ErasedAccount }> {
  const { now } = step;
  const { pass } = erasure;
  if (!pass.filesDone) {
    const { found, complete } = await removeObjects(step.bucket, account, {
      count: false,
      deadline: step.deadline,
    });
    const removed = { ...erasure.removed, files: erasure.removed.files + found };
    return {
      erasure: {
        ...erasure,
        removed,
        pass: { ...pass, found: pass.found + found, ...(complete && { filesDone: true }) },
      },
      due: now,
    };
  }
  let { after } = pass;
  const pages = async function* (): AsyncGenerator<Item[]> {
    do {
      const { items, next } = await scanPage(after);
      yield items;
      after = next;
    } while (after && Date.now() < step.deadline);
  };
  const ownLogs = new Set(erasure.ownLogs);
  const erased = await eraseItems(account, {
    removeRawMails: (keys) => removeRawMails(step.bucket, keys),
    count: false,
    pages: pages(),
    ownLogs,
    mostLogs,
    removedLogs: new Set(erasure.removedLogs),
    writeDeadline: () => step.writeDeadline,
  });
  const next: ErasureProgress = {
    ...erasure,
    removed: withErased(erasure.removed, erased),
    ownLogs: [...ownLogs],
    pass: {
      ...pass,
      found: pass.found + erased.found,
      elsewhere: sumOf(pass.elsewhere, erased.elsewhere),
      ...(after && { after }),
    },
  };
  if (after) return { erasure: next, due: now };
  return endPass(next, { account, ...closing }, now);
}

/** After the last page: begins the next pass, or returns the proof if the pass was late enough and found nothing. */
function endPass(
  { pass, ...erasure }: ErasureProgress,
  closing: Omit<Closing, 'erasure'>,
  now: Date,
): { erasure: ErasureProgress; due: Date } | { proof: ErasedAccount } {
  const lastRemoval = pass.found > 0 ? now.getTime() : erasure.lastRemoval;
  if (pass.found === 0 && pass.began >= lastRemoval + longestTimeout) {
    const { due: _, export: exported, ...closed } = closing;
    const { removed, lastSeal } = erasure;
    return {
      proof: {
        ...closed,
        erasedAt: now.toISOString(),
        removed,
        finalCheck: { items: 0, files: 0, elsewhere: pass.elsewhere },
        ...(exported.sha256 !== undefined && { exportSha256: exported.sha256 }),
        ...(lastSeal && { lastSeal }),
      },
    };
  }
  const due = pass.found > 0 ? now : new Date(lastRemoval + longestTimeout);
  // The users of the logs that were removed before this pass have been removed in this pass.
  const ownLogs = erasure.ownLogs.filter((log) => !erasure.removedLogs.includes(log));
  const removedLogs = erasure.ownLogs.slice(0, pass.logs).filter((log) => ownLogs.includes(log));
  return {
    erasure: { ...erasure, lastRemoval, ownLogs, removedLogs, pass: newPass(due, ownLogs.length) },
    due,
  };
}

const newPass = (began: Date, logs: number): ErasureProgress['pass'] => ({
  began: began.getTime(),
  found: 0,
  elsewhere: {},
  logs,
});

const withErased = (
  { items, users, usersRemoved, files }: ErasureProgress['removed'],
  erased: ErasedItems,
): ErasureProgress['removed'] => ({
  items: sumOf(items, erased.items),
  users: users + erased.users,
  usersRemoved: usersRemoved + erased.usersRemoved,
  files,
});

function sumOf(some: Counts, more: Counts): Counts {
  const sum = { ...some };
  for (const [type, count] of Object.entries(more)) sum[type] = (sum[type] ?? 0) + count;
  return sum;
}
