import type { AccountId } from '../id/account-id.ts';
import { backoff } from './backoff.ts';
import { indexItem, indexItemKey, readEntry } from './index-items.ts';
import type { Item } from './item.ts';
import { type Key, type ListedNoun, type RecordId, searchEntriesKey } from './keys.ts';
import { type Bounds, getItems, type QueryResult } from './read.ts';
import { newRevision, putRevised, removeRevised } from './revised-item.ts';
import { separateRequests, type TableRequests } from './table-requests.ts';

/** A store whose records are in the search index. */
export interface IndexedStore {
  noun: ListedNoun;
  /** The key of the item that lists read. */
  listedKey(account: AccountId, id: RecordId): Key;
  /** The names of the index entries of a record, from the item that lists read. */
  indexEntries(listed: Item | undefined): ReadonlySet<string>;
  /** Reports whether the index of an account lacks parts for some records; see `searchIndex`. */
  hasUnbuiltParts(account: { indexedAdditions?: number }): boolean;
  /** Returns the newest records of an account as lists show them, within the bounds. */
  newestWithin(account: AccountId, bounds: Bounds): Promise<QueryResult<{ id: RecordId }>>;
}

/** Index items of a record that a scan of the table has found. `order` is the number by which lists sort the record. */
export interface ScannedEntries {
  order: number;
  names: readonly string[];
}

interface IndexUpdate {
  /** Entries that the index may contain, although the record should not have them. */
  doubted?: ScannedEntries;
  requests?: TableRequests;
}

const mostAttempts = 12;
/** After this many attempts, an update that has not settled its entries is considered dead. */
const attemptsToWait = 6;

/**
 * Makes the search index agree with the latest state of a record, which may be deleted. Writes only the differences.
 * Repeating an update changes nothing. If entries are `doubted`, writes all entries, and deletes the doubted ones that the
 * record should not have. Throws if other updates of the record keep coming first.
 *
 * The record has an item with the names of its index entries. Before an update writes entries, it adds their names to
 * this item and marks it as unsettled. If the update is killed, the next one writes all entries of an unsettled item
 * again, and deletes those that the record does not have. An update waits for another one of the same record that has not
 * settled its entries yet, for about half a second. An update that was overtaken starts again, and includes the entries
 * that it wrote.
 */
export async function updateIndex(
  store: IndexedStore,
  account: AccountId,
  id: RecordId,
  { doubted, requests = separateRequests }: IndexUpdate = {},
): Promise<void> {
  const key = searchEntriesKey(account, store.noun, id);
  /** The entries that this update has put or deleted. Another update may have done the opposite. */
  const touched = new Set(doubted?.names);
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    if (attempt > 1) await backoff(attempt, 200);
    const [listed, saved] = await requests.getItems([store.listedKey(account, id), key]);
    const wanted = store.indexEntries(listed);
    const stored = savedEntries(saved);
    if (saved?.unsettled === true && attempt <= attemptsToWait) continue;
    const isSettled = saved?.unsettled !== true && !doubted;
    const possible = new Set([...stored, ...touched]);
    const certain = new Set(isSettled ? [...stored].filter((one) => !touched.has(one)) : []);
    const added = [...wanted].filter((one) => !certain.has(one));
    const removed = [...possible].filter((one) => !wanted.has(one));
    if (isSettled && added.length === 0 && removed.length === 0) return;
    const order = Number(saved?.order ?? listed?.listSk ?? doubted?.order ?? 0);
    const settled = {
      ...key,
      type: 'search-entries',
      id,
      order,
      entries: [...wanted],
      revision: newRevision(),
    };
    const unsettled = {
      ...settled,
      entries: [...new Set([...possible, ...wanted])],
      unsettled: true,
      revision: newRevision(),
    };
    if (!(await putRevised(unsettled, saved?.revision as string | undefined))) continue;
    for (const one of [...added, ...removed]) touched.add(one);
    const indexed = { account, noun: store.noun, id, order };
    await requests.write({
      put: added.map((one) => indexItem(indexed, readEntry(one))),
      remove: removed.map((one) => indexItemKey(indexed, readEntry(one))),
    });
    const isLast =
      wanted.size > 0
        ? await putRevised(settled, unsettled.revision)
        : await removeRevised(key, unsettled.revision);
    if (isLast) return;
  }
  throw new Error('Other updates of the same record in the search index came first.');
}

/** Returns the entries in the item with the entries of a record. Without an item, the index has no entries of the record. */
const savedEntries = (saved: Item | undefined): ReadonlySet<string> =>
  new Set((saved?.entries ?? []) as string[]);

/** A record's entries that are missing in the index, and those that it should not have. */
interface IndexDifferences {
  /** The number of entries that the record should have. */
  compared: number;
  missing: string[];
  unexpected: string[];
}

/** Compares the entries of a record with the items of the index. */
export async function compareIndex(
  store: IndexedStore,
  account: AccountId,
  id: RecordId,
  scanned?: ScannedEntries,
): Promise<IndexDifferences> {
  const [listed, saved] = await getItems([
    store.listedKey(account, id),
    searchEntriesKey(account, store.noun, id),
  ]);
  const wanted = store.indexEntries(listed);
  const order = Number(saved?.order ?? listed?.listSk ?? scanned?.order ?? 0);
  const stored = savedEntries(saved);
  const possible = [...new Set([...wanted, ...stored, ...(scanned?.names ?? [])])];
  const indexed = { account, noun: store.noun, id, order };
  const items = await getItems(possible.map((one) => indexItemKey(indexed, readEntry(one))));
  const isIn = (_: string, n: number) => items[n] !== undefined;
  return {
    compared: wanted.size,
    missing: possible.filter((one, n) => wanted.has(one) && !(isIn(one, n) && stored.has(one))),
    unexpected: possible.filter((one, n) => !wanted.has(one) && (isIn(one, n) || stored.has(one))),
  };
}
