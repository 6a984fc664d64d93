import { indexedStores } from '../../events/indexed-stores.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { inBatches } from '../../shared/table/in-batches.ts';
import { entryNameOf, listPositionOf } from '../../shared/table/index-items.ts';
import { type Item, isTombstone } from '../../shared/table/item.ts';
import { type RecordId, readTenantPartition } from '../../shared/table/keys.ts';
import {
  compareIndex,
  type IndexedStore,
  type ScannedEntries,
  updateIndex,
} from '../../shared/table/update-index.ts';
import { scanTable } from './scan-table.ts';

/** The number of records that are compared or updated in parallel. */
const parallelism = 10;

interface SearchedRecord {
  store: IndexedStore;
  account: AccountId;
  id: RecordId;
  /** The scanned item, if it belongs to the index. */
  scanned?: ScannedEntries;
}

/**
 * Updates the search index for every record of an account, or of all accounts. Records that agree with the index cost one
 * read, so the command can be repeated after an interruption. Returns the number of records.
 */
export async function buildSearchIndex(account: AccountId | undefined): Promise<number> {
  let records = 0;
  for await (const found of scanRecords(account)) {
    const listed = found.filter(({ scanned }) => scanned === undefined);
    await inBatches(parallelism, listed, ({ store, account: of, id }) => updateIndex(store, of, id));
    records += listed.length;
  }
  return records;
}

interface CheckedIndex {
  records: number;
  entries: number;
  /** A sentence for each record whose entries differed. They are mended. */
  differences: string[];
}

/**
 * Compares every record of an account, or of all accounts, with its entries in the search index, and every index item
 * with its record. Compares records with differences a second time, because their last changes may not have reached the
 * index during the first time. Mends and returns the remaining differences.
 */
export async function checkSearchIndex(account: AccountId | undefined): Promise<CheckedIndex> {
  const doubted = new Map<string, SearchedRecord>();
  let [records, entries] = [0, 0];
  for await (const found of scanRecords(account))
    await inBatches(parallelism, found, async (record) => {
      const { compared, missing, unexpected } = await compare(record);
      if (!record.scanned) [records, entries] = [records + 1, entries + compared];
      if (missing.length + unexpected.length > 0) doubted.set(nameOf(record), withOthers(record, doubted));
    });
  const differences = await inBatches(parallelism, [...doubted.values()], async (record) => {
    const { missing, unexpected } = await compare(record);
    if (missing.length + unexpected.length === 0) return [];
    const { store, account: of, id, scanned } = record;
    const order = scanned?.order ?? 0;
    const names = [...unexpected, ...(scanned?.names ?? [])];
    await updateIndex(store, of, id, { doubted: { order, names } });
    return [
      `${nameOf(record)}: ${missing.length} entries were missing, ${unexpected.length} were unexpected.`,
    ];
  });
  return { records, entries, differences: differences.flat() };
}

const compare = ({ store, account, id, scanned }: SearchedRecord) =>
  compareIndex(store, account, id, scanned);

const nameOf = ({ store, account, id }: SearchedRecord): string =>
  `${account} ${store.noun.toLowerCase()} ${id}`;

/** Adds the index items of the same record that were found before. */
function withOthers(record: SearchedRecord, doubted: ReadonlyMap<string, SearchedRecord>): SearchedRecord {
  const before = doubted.get(nameOf(record))?.scanned;
  if (!before) return record;
  return { ...record, scanned: { ...before, names: [...before.names, ...(record.scanned?.names ?? [])] } };
}

/** Scans the table, and yields the records that lists read and the items of the search index. */
async function* scanRecords(account: AccountId | undefined): AsyncGenerator<SearchedRecord[]> {
  for await (const items of scanTable()) {
    yield items.flatMap((item) => {
      const place = readTenantPartition(item.pk);
      if (!place || (account && place.account !== account)) return [];
      return searchedRecord(item, place.account, place.parts) ?? [];
    });
  }
}

const stores = Object.values(indexedStores);

function searchedRecord(
  item: Item,
  account: AccountId,
  parts: readonly string[],
): SearchedRecord | undefined {
  const id = item.id as RecordId;
  if (item.type === 'search-index') {
    const store = stores.find(({ noun }) => noun === parts[1]);
    const scanned = { order: Number(listPositionOf(item)), names: [entryNameOf(item)] };
    return store && { store, account, id, scanned };
  }
  const store = stores.find(({ noun }) => noun === parts[0]);
  if (!store || parts.length !== 2) return undefined;
  if (item.type === 'search-entries')
    return { store, account, id, scanned: { order: Number(item.order), names: [] } };
  const isListed = item.sk === store.listedKey(account, id ?? 0).sk && !isTombstone(item);
  return isListed ? { store, account, id } : undefined;
}
