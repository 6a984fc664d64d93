import type { AccountId } from '../../id/account-id.ts';
import { deleteItem, putItem, type Write } from '../../table/operations.ts';
import type { BlindKind } from './blind-values.ts';
import { duplicateKey } from './keys.ts';

/** A value of a record by its keyed hash, and the path of the field that holds it. */
export interface BlindValue {
  kind: BlindKind;
  blind: string;
  field: string;
}

/** The record that holds the values. */
export interface ValueHolder {
  account: AccountId;
  type: 'application' | 'merchant';
  id: number | string;
}

/** What a row says: a record, and which of its fields holds the value that the row's partition stands for. */
export interface IndexRow {
  holder: { type: ValueHolder['type']; id: ValueHolder['id'] };
  kind: BlindKind;
  field: string;
}

/**
 * The writes that take the index from one state of a record to the next: a row for each value, in the partition of its
 * kind and keyed hash. They belong into the transaction that changes the values. None where the values are the same.
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
