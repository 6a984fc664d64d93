import { listedAccounts } from '../shared/accounts/directory.ts';
import { accountKey } from '../shared/accounts/keys.ts';
import type { StoredAccount } from '../shared/accounts/schema.ts';
import type { AccountId } from '../shared/id/account-id.ts';
import { searchIndex } from '../shared/search/search-index.ts';
import { inBatches } from '../shared/table/in-batches.ts';
import { isTombstone, recordOf } from '../shared/table/item.ts';
import { setIfPresent } from '../shared/table/operations.ts';
import { getItems } from '../shared/table/read.ts';
import { transact } from '../shared/table/transact.ts';
import { type IndexedStore, updateIndex } from '../shared/table/update-index.ts';
import type { Run } from '../shared/work-queue/work-handler.ts';
import { indexedStores } from './indexed-stores.ts';

/** How far the additions of an account are built. */
type IndexBuild = NonNullable<StoredAccount['indexBuild']>;

/** A deployment replaces its functions in less than this number of milliseconds. */
const deploymentTime = 15 * 60_000;
/** After all accounts were found complete, a process does not read them again for this number of milliseconds. */
const checkInterval = 3_600_000;
const recordsAtOnce = 100;
/** The number of records that are updated in parallel. */
const parallelism = 10;

/** The last time at which this process found all accounts complete. */
const checked = { additions: 0, at: 0 };

/**
 * Builds the additions to the search index in every account that does not have them, record by record. A run that reaches
 * its deadline stores its position, and the next run continues there. Repeating a step changes nothing.
 */
export async function buildIndexAdditions({ now, deadline }: Run): Promise<void> {
  const additions = searchIndex.version;
  if (additions === 0) return;
  if (checked.additions === additions && now.getTime() < checked.at + checkInterval) return;
  const ids = await listedAccounts();
  let isComplete = true;
  for (const item of await getItems(ids.map(accountKey))) {
    if (!item || isTombstone(item)) continue;
    if (Date.now() >= deadline) return;
    isComplete = (await buildAccount(recordOf<StoredAccount>(item), { now, deadline })) && isComplete;
  }
  if (isComplete) Object.assign(checked, { additions, at: now.getTime() });
}

/** Runs one step for an account. Returns true if its index contains all additions. */
async function buildAccount(account: StoredAccount, { now, deadline }: Run): Promise<boolean> {
  const { id, indexedAdditions = 0, indexBuild } = account;
  const additions = searchIndex.version;
  if (indexedAdditions >= additions) return true;
  const save = (attribute: string, value: unknown) =>
    transact([setIfPresent(accountKey(id), attribute, value)], deadline);
  if (indexBuild?.additions !== additions) {
    const start = new Date(now.getTime() + deploymentTime).toISOString();
    await save('indexBuild', { additions, start } satisfies IndexBuild);
    return false;
  }
  if (now.toISOString() < indexBuild.start) return false;
  const unbuilt = Object.entries(indexedStores)
    .filter(([resource, store]) => resource >= (indexBuild.resource ?? '') && store.hasUnbuiltParts(account))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [resource, store] of unbuilt) {
    const from = resource === indexBuild.resource ? indexBuild.before : '';
    const before = await buildStore(id, store, from ?? '', deadline);
    if (before === undefined) continue;
    await save('indexBuild', { ...indexBuild, resource, before } satisfies IndexBuild);
    return false;
  }
  await save('indexedAdditions', additions);
  return true;
}

/**
 * Updates the index for the records of one type before a list position. Returns the position at which the next run
 * continues; undefined if all records were updated.
 */
async function buildStore(
  account: AccountId,
  store: IndexedStore,
  start: string,
  deadline: number,
): Promise<string | undefined> {
  let before = start;
  for (;;) {
    if (Date.now() >= deadline) return before;
    const { items, next } = await store.newestWithin(account, { limit: recordsAtOnce, before });
    await inBatches(parallelism, items, ({ id }) => updateIndex(store, account, id));
    if (next === undefined) return undefined;
    before = next;
  }
}
