import type { AccountId } from '../../id/account-id.ts';
import { deleteItem, putItem, type Write } from '../../table/operations.ts';
import type { BlindKind } from './blind-values.ts';
import { duplicateKey } from './keys.ts';

/** The keyed hash of a value, and the path of its field. */
export interface BlindValue {
  kind: BlindKind;
  blind: string;
  field: string;
}

/** The record that contains the values. */
export interface ValueHolder {
  account: AccountId;
  type: 'application' | 'merchant';
  id: number | string;
}

/** A record, and the path of the field that contains the value. All rows of a partition have the same value. */
export interface IndexRow {
  holder: { type: ValueHolder['type']; id: ValueHolder['id'] };
  kind: BlindKind;
  field: string;
}

/**
 * Returns the writes that update the duplicate index: a row for each value, in the partition of its kind and hash. The
 * transaction that changes the values must include these writes.
 */
export function indexRowWrites(
  holder: ValueHolder,
  before: readonly BlindValue[],
  after: readonly BlindValue[],
): Write[] {
  const missingFrom = (others: readonly BlindValue[]) => {
    const known = new Set(others.map(nameOf));
    return (value: BlindValue) => !known.has(nameOf(value));
  };
  return [
    ...before.filter(missingFrom(after)).map((value) => deleteItem(rowKey(holder, value))),
    ...after.filter(missingFrom(before)).map((value) => putItem(rowOf(holder, value))),
  ];
}

const nameOf = ({ kind, blind, field }: BlindValue): string => JSON.stringify([kind, blind, field]);

const rowKey = ({ account, type, id }: ValueHolder, { kind, blind, field }: BlindValue) =>
  duplicateKey(account, kind, blind, { type, id, field });

const rowOf = (holder: ValueHolder, value: BlindValue) => ({
  ...rowKey(holder, value),
  type: 'collision',
  holder: { type: holder.type, id: holder.id },
  kind: value.kind,
  field: value.field,
});
