import { tableAttributes } from './definition.ts';
import type { Key } from './keys.ts';

/** An item of the table: its key, the table's attributes and the fields of a record. */
export type Item = Key & { [attribute: string]: unknown };

/** Returns the record in an item, without the table's attributes. */
export function recordOf<R>(item: Record<string, unknown>): R {
  const record: Record<string, unknown> = {};
  for (const name in item) if (!tableAttributes.has(name)) record[name] = item[name];
  return record as R;
}

/** Adds the fields of a record to an item. */
export const withFields = <R extends object>(item: Item, record: R): Item => ({
  ...item,
  ...(record as Record<string, unknown>),
});

/** Reports whether an item is a tombstone, which replaces a deleted record so that its id is never reused. */
export const isTombstone = (item: Record<string, unknown>): boolean => item.deletedAt !== undefined;

/** Reports whether an item has expired. DynamoDB removes expired items late, so every reader checks the time. */
export const isExpired = (item: Record<string, unknown>, now: Date): boolean =>
  typeof item.expiresAtSeconds === 'number' && item.expiresAtSeconds * 1000 <= now.getTime();

/** Converts an instant to seconds since 1970, as in the TTL attribute. */
export const asSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);
