import { busy } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { putAll } from '../../table/batch-write.ts';
import { type Item, recordOf } from '../../table/item.ts';
import { digits } from '../../table/keys.ts';
import { type ListSource, readOnce } from '../../table/list-source.ts';
import { putIfAbsent, putIfEquals, type Write } from '../../table/operations.ts';
import { type Bounds, getItem, type QueryResult, queryItems } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import { processorKey } from '../amounts/schema.ts';
import type { FileReading } from '../formats/schema.ts';
import { chunkKey, chunkPosition, chunksFrom, monthPartition, rowsPartition, triesKey } from './keys.ts';
import type { ResidualRow } from './residual-row.ts';
import { packRows, unpackRows } from './row-chunks.ts';
import type { ListedResidualFile, ListedResidualRow, ResidualFile } from './schema.ts';

/** A file as stored. */
export interface StoredResidualFile extends ResidualFile {
  /** The format as it was when the file was read. */
  reading?: FileReading;
  /** How often the file was to be read. The rows of each reading are stored separately. */
  readings: number;
}

/** The latest file of a processor that was read for a month. */
export interface LatestFile {
  month: string;
  processor: string;
  fileId: number;
  /** 1 for the first file of the processor and month. */
  fileVersion: number;
  sha256: string;
  formatId: number;
  formatVersion: number;
}

/** The fields that lists show. */
const listed = ({
  problems,
  unknownMids,
  repeatedMids,
  suggestion,
  reading,
  readings,
  ...shown
}: StoredResidualFile): ListedResidualFile => shown;

const records = recordStore<StoredResidualFile, 'residual_file', ListedResidualFile>({
  resource: 'residual_file',
  summary: listed,
});

const latestItem = (account: AccountId, latest: LatestFile): Item => ({
  pk: monthPartition(account, latest.month),
  sk: processorKey(latest.processor),
  type: 'residual-latest-file',
  ...latest,
});

/** The files of processors. */
export const residualFiles = {
  ...records,

  show: ({ reading, readings, ...shown }: StoredResidualFile): ResidualFile => shown,

  /** Returns the latest file of each processor that was read for a month, in the order of the processors' names. */
  async latestOf(account: AccountId, month: string): Promise<LatestFile[]> {
    const items = await queryItems({ partition: monthPartition(account, month) });
    return items.map((item) => recordOf<LatestFile>(item));
  },

  /** Returns the latest file of a processor that was read for a month. */
  async findLatest(
    account: AccountId,
    { month, processor }: Pick<LatestFile, 'month' | 'processor'>,
  ): Promise<LatestFile | undefined> {
    const item = await getItem({ pk: monthPartition(account, month), sk: processorKey(processor) });
    return item && recordOf<LatestFile>(item);
  },

  /** Makes a file the latest one of its processor and month. Fails with a conflict if another one was read meanwhile. */
  replaceLatest: (account: AccountId, before: LatestFile | undefined, after: LatestFile): Write[] => [
    before
      ? putIfEquals(latestItem(account, after), 'fileId', before.fileId)
      : putIfAbsent(latestItem(account, after)),
  ],
};

type FileOfRows = Pick<StoredResidualFile, 'accountId' | 'id' | 'readings'>;
/** A file whose rows are read. Without the number of its reading, the file is read, too. */
type NamedFile = Pick<StoredResidualFile, 'accountId' | 'id'> & Partial<Pick<StoredResidualFile, 'readings'>>;

const withReading = async ({ accountId, id, readings }: NamedFile): Promise<FileOfRows> =>
  readings === undefined ? records.get(accountId, id) : { accountId, id, readings };

/** The chunks of a query. An item has at most 100 KB. */
const chunksAtOnce = 20;

const rowsIn = (item: Item): ResidualRow[] => unpackRows(String(item.packed));

/** The position of a row in a list. Lists return the largest position first, so that a list has the order of the file. */
const positionOf = (place: number): string => digits(Number.MAX_SAFE_INTEGER - place);
const placeAt = (position: string): number => Number.MAX_SAFE_INTEGER - Number(position);

/** Reads the item whose rows contain a place, or are the last ones before it. */
async function chunkAt(file: FileOfRows, place: number): Promise<Item | undefined> {
  const [item] = await queryItems({
    partition: rowsPartition(file),
    sortKey: { from: chunkPosition(0), to: chunkPosition(place) },
    limit: 1,
    newestFirst: true,
  });
  return item;
}

/** Converts a row for a response. */
const showRow = ({ place, ...row }: ResidualRow): ListedResidualRow => ({ id: place, ...row });

/** The rows of a file, in the order of the file. */
export const residualRows = {
  /** Returns the item of some consecutive rows. */
  chunk(file: FileOfRows, rows: readonly ResidualRow[]): Item {
    const [first = 0, last = 0] = [rows[0]?.place, rows.at(-1)?.place];
    return {
      ...chunkKey(file, first),
      type: 'residual-rows',
      ...{ fileId: file.id, first, last, packed: packRows(rows) },
    };
  },

  /** Stores chunks. A repeated call changes nothing. Throws `busy` if DynamoDB did not process all of them. */
  async put(chunks: readonly Item[]): Promise<void> {
    if ((await putAll(chunks)).length > 0) throw busy('UnprocessedItems');
  },

  /** Counts an attempt that begins at a place. Returns the number of attempts that began there. */
  async countTry(file: FileOfRows, next: number): Promise<number> {
    const before = await getItem(triesKey(file));
    const count = before?.next === next ? Number(before.count) + 1 : 1;
    await this.put([{ ...triesKey(file), type: 'residual-tries', next, count }]);
    return count;
  },

  /** Yields the rows of a file in groups, in the order of the file. */
  async *read(named: NamedFile, from = 0): AsyncGenerator<ResidualRow[]> {
    const file = await withReading(named);
    const start = from > 0 ? await chunkAt(file, from) : undefined;
    for (let next = Number(start?.first ?? 0); ; ) {
      const items = await queryItems({
        partition: rowsPartition(file),
        sortKey: chunksFrom(next),
        limit: chunksAtOnce,
      });
      for (const item of items) yield rowsIn(item).filter(({ place }) => place >= from);
      const last = items.at(-1);
      if (!last || items.length < chunksAtOnce) return;
      next = Number(last.last) + 1;
    }
  },

  /** Returns the row at a place of a file. */
  async at(named: NamedFile, place: number): Promise<ResidualRow | undefined> {
    const item = await chunkAt(await withReading(named), place);
    return item && rowsIn(item).find((row) => row.place === place);
  },
};

/** Lists the rows of a file in the order of the file. Throws `not_found`. A file that is not read has no rows. */
export function residualRowsOf(account: AccountId, id: number): ListSource<ListedResidualRow> {
  const file = readOnce(() => residualFiles.get(account, id));
  return {
    async newest(bounds) {
      const found = await file();
      return found.state === 'read' ? listRows(found, bounds) : { items: [], positions: [] };
    },
    async total() {
      const { state, rows = 0 } = await file();
      return state === 'read' ? rows : 0;
    },
    show: async (page) => page,
  };
}

/** Reads rows within the bounds of a list. */
async function listRows(
  file: NamedFile,
  { limit = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY, until, before, oldestFirst }: Bounds,
): Promise<QueryResult<ListedResidualRow>> {
  const items: ListedResidualRow[] = [];
  const bounds = { rows: oldestFirst ? Number.POSITIVE_INFINITY : limit, bytes };
  let size = 0;
  let cut: QueryResult['cut'];
  for await (const rows of residualRows.read(file, before ? placeAt(before) + 1 : 0)) {
    items.push(...rows.slice(0, bounds.rows - items.length).map(showRow));
    size += JSON.stringify(rows).length;
    if (items.length >= bounds.rows) break;
    if (size > bounds.bytes) cut = 'bytes';
    else if (until !== undefined && Date.now() >= until) cut = 'time';
    if (cut) break;
  }
  if (oldestFirst) items.reverse().splice(limit);
  const last = items.at(-1);
  return {
    items,
    ...(cut && { cut }),
    ...(before !== undefined && {
      positions: items.map(({ id }) => positionOf(id)),
      ...(last && (cut || items.length === limit) && { next: positionOf(last.id) }),
    }),
  };
}
