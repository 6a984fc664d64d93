import { tableAttributes } from './definition.ts';
import type { Key } from './keys.ts';

/** An item as the table holds it: its key, the table's own attributes, and the record's fields. */
export type Item = Key & { [attribute: string]: unknown };

/** The record inside an item, without the attributes that belong to the table. */
export function recordOf<R>(item: Record<string, unknown>): R {
  const record: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(item)) if (!tableAttributes.includes(name)) record[name] = value;
  return record as R;
}

/** An item with the fields of a record in it. */
export const withFields = <R extends object>(item: Item, record: R): Item => ({
  ...item,
  ...(record as Record<string, unknown>),
});

/** A deleted record leaves a tombstone, so that its id is never used again. */
export const isTombstone = (item: Record<string, unknown>): boolean => item.deletedAt !== undefined;

/** DynamoDB removes expired items late, so every reader checks for itself. */
export const isExpired = (item: Record<string, unknown>, now: Date): boolean =>
  typeof item.expiresAtSeconds === 'number' && item.expiresAtSeconds * 1000 <= now.getTime();

/** An instant as the table's time-to-live attribute holds it. */
export const asSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);
