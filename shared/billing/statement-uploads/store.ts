import { ApiError, busy } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { putAll } from '../../table/batch-write.ts';
import { asSeconds, type Item, isExpired, recordOf } from '../../table/item.ts';
import { queryList } from '../../table/list-query.ts';
import type { ListSource } from '../../table/list-source.ts';
import { putIfAbsent, putItem, type Write } from '../../table/operations.ts';
import { type Bounds, getItem, getItems, queryItems, queryWithin } from '../../table/read.ts';
import type { ImportedTransaction } from '../bank-statements/schema.ts';
import type { ReadingOptions } from '../bank-statements/statement.ts';
import { rowKey, rowRange, rowRangeOf, uploadKey, uploadPartition } from './keys.ts';
import type { UploadedTransaction } from './schema.ts';

/** Uploads, their jobs and their results are kept for this many milliseconds. */
export const keptFor = 30 * 86_400_000;

/** A statement to upload, as the request described it. */
export interface StoredUpload {
  id: number;
  accountId: AccountId;
  fileName: string;
  size: number;
  sha256: string;
  /** How to read the file, with what was stored for the bank account at the request. */
  style: Partial<ReadingOptions>;
  /** The bank account that the request names. */
  bankAccount?: string;
  /** True if this bank account was stored. */
  isKnown: boolean;
  createdAt: string;
  createdBy: string;
  /** The steps of the job that began at a row and did not get beyond it. */
  tries?: { next: number; count: number };
}

const expiryOf = ({ createdAt }: Pick<StoredUpload, 'createdAt'>): number =>
  asSeconds(new Date(Date.parse(createdAt) + keptFor));

const uploadItem = (upload: StoredUpload): Item => ({
  ...uploadKey(upload.accountId, upload.id),
  type: 'bank-statement-upload',
  expiresAtSeconds: expiryOf(upload),
  ...upload,
});

const rowItem = (upload: StoredUpload, place: number, result: ImportedTransaction): Item => ({
  ...rowKey(upload.accountId, upload.id, place),
  type: 'bank-statement-row',
  expiresAtSeconds: expiryOf(upload),
  place,
  outcome: result,
});

const resultIn = (item: Item): ImportedTransaction => item.outcome as ImportedTransaction;

const transactionIn = (item: Item): UploadedTransaction => ({
  id: Number(item.place) + 1,
  ...resultIn(item),
});

/** Retries items that DynamoDB did not process. Throws `busy` if some remain. */
async function putEach(items: readonly Item[]): Promise<void> {
  if ((await putAll(items)).length > 0) throw busy('UnprocessedItems');
}

/** The uploaded statements of an account. */
export const statementUploads = {
  async find(account: AccountId, id: number, now: Date): Promise<StoredUpload | undefined> {
    const item = await getItem(uploadKey(account, id));
    return item && !isExpired(item, now) ? recordOf<StoredUpload>(item) : undefined;
  },

  /** Throws `not_found`. */
  async get(account: AccountId, id: number, now: Date): Promise<StoredUpload> {
    const found = await this.find(account, id, now);
    if (!found) throw new ApiError('not_found');
    return found;
  },

  insert: (upload: StoredUpload): Write[] => [putIfAbsent(uploadItem(upload))],

  /** Counts a step that begins at a row. Returns the number of steps that began there. */
  async countTry(upload: StoredUpload, next: number): Promise<number> {
    const count = upload.tries?.next === next ? upload.tries.count + 1 : 1;
    await putEach([uploadItem({ ...upload, tries: { next, count } })]);
    return count;
  },
};

/** The results of the rows of an uploaded statement. */
export const uploadedRows = {
  /** Returns the stored results from one place to before another, by place. */
  async between(
    { accountId, id }: StoredUpload,
    from: number,
    to: number,
  ): Promise<Map<number, ImportedTransaction>> {
    const partition = uploadPartition(accountId, id);
    const items = await queryItems({ partition, sortKey: rowRangeOf(from, to) });
    return new Map(items.map((item) => [Number(item.place), resultIn(item)]));
  },

  /** Returns the stored results at some places. */
  async at(
    { accountId, id }: StoredUpload,
    places: readonly number[],
  ): Promise<(ImportedTransaction | undefined)[]> {
    const items = await getItems(places.map((place) => rowKey(accountId, id, place)));
    return items.map((item) => item && resultIn(item));
  },

  /** Stores a result in the transaction that records its payment. */
  put: (upload: StoredUpload, place: number, result: ImportedTransaction): Write[] => [
    putItem(rowItem(upload, place, result)),
  ],

  /** Stores the results of rows without a payment. */
  putAll: (upload: StoredUpload, results: ReadonlyMap<number, ImportedTransaction>): Promise<void> =>
    putEach([...results].map(([place, result]) => rowItem(upload, place, result))),

  /** Lists the results in the order of the file. `total` is the number of the results. */
  listOf(account: AccountId, id: number, total: () => Promise<number>): ListSource<UploadedTransaction> {
    const query = { partition: uploadPartition(account, id), sortKey: rowRange };
    return {
      newest: (bounds: Bounds) => queryList(queryWithin, query, bounds, transactionIn),
      total,
      show: async (page) => page,
    };
  },
};
