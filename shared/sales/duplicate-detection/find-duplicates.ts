import type { AccountId } from '../../id/account-id.ts';
import { recordOf } from '../../table/item.ts';
import { queryItems } from '../../table/read.ts';
import type { BlindKind } from './blind-values.ts';
import type { BlindValue, IndexRow, ValueHolder } from './index-rows.ts';
import { duplicatePartition } from './keys.ts';

/** A value of a record that other records of its account have too. */
export interface Duplicate {
  kind: BlindKind;
  /** The path of the record's own field. */
  field: string;
  /** Where else the value is: a record, and the path of its field. */
  records: (HolderId & { field: string })[];
}

/** A record, as collisions name it. */
type HolderId = Pick<ValueHolder, 'type' | 'id'>;

/** So many fields that hold one value are looked at: more would tell nothing new. */
const mostRows = 200;

/**
 * What a record's values have in common with other records of the account, in the order of the values: one query for
 * each value, side by side. `own` are the record itself, and what belongs to it.
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
      return [partition, queryItems({ partition, limit: mostRows })] as const;
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
