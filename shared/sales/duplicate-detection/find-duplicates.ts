import type { AccountId } from '../../id/account-id.ts';
import { recordOf } from '../../table/item.ts';
import { queryItems } from '../../table/read.ts';
import type { BlindKind } from './blind-values.ts';
import type { BlindValue, IndexRow, ValueHolder } from './index-rows.ts';
import { duplicatePartition } from './keys.ts';

/** A value that is also in other records of the account. */
export interface Duplicate {
  kind: BlindKind;
  /** The path of the field in the checked record. */
  field: string;
  /** The other records with the value, and the path of the field in each record. */
  records: (HolderId & { field: string })[];
}

type HolderId = Pick<ValueHolder, 'type' | 'id'>;

/** The largest number of index rows to read for one value. More rows would not change an underwriting decision. */
const maxRows = 200;

/**
 * Finds the values that are also in other records of the account. Runs one query per value, in parallel. Ignores the
 * records in `own`: the checked record and its related records.
 */
export async function findDuplicates(
  account: AccountId,
  values: readonly BlindValue[],
  own: readonly HolderId[],
): Promise<Duplicate[]> {
  const isOwn = ({ holder }: IndexRow) =>
    own.some(({ type, id }) => type === holder.type && id === holder.id);
  const partitions = new Map(
    values.map(({ kind, blind }) => {
      const partition = duplicatePartition(account, kind, blind);
      return [partition, queryItems({ partition, limit: maxRows })] as const;
    }),
  );
  const found = await Promise.all(
    values.map(async ({ kind, blind, field }) => {
      const items = (await partitions.get(duplicatePartition(account, kind, blind))) ?? [];
      const rows = items.map((item) => recordOf<IndexRow>(item)).filter((row) => !isOwn(row));
      return { kind, field, records: rows.map(({ holder, field }) => ({ ...holder, field })) };
    }),
  );
  return found.filter(({ records }) => records.length > 0);
}
