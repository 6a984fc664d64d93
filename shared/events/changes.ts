import type { Changes } from '../resources/event-data.ts';
import { sameValue } from '../table/revise.ts';

class Hidden {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  static valueOf(value: unknown): unknown {
    return value instanceof Hidden ? value.#value : value;
  }
}

/** Wraps a value that events must not contain. Events record only that the value changed. */
export const hidden = (value: unknown): unknown => new Hidden(value);

export const hiding = (fields: object, isSensitive: (field: string) => boolean): object =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, isSensitive(field) ? hidden(value) : value]),
  );

/**
 * Flattens a nested record to paths. The path of a row contains its `uniqueId` or `id` (`businessOwners[u1].name`), so
 * that a new order of the rows changes no path. A list of rows without ids, or of plain values, is one value.
 */
export function byPath(record: object): Record<string, unknown> {
  const paths: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const below = nestedIn(value);
    if (!below) paths[name] = value;
    for (const [key, nested] of below ?? [])
      for (const [path, one] of Object.entries(byPath(nested))) paths[`${name}${key}.${path}`] = one;
  }
  return paths;
}

/**
 * Returns the objects inside a value, each with its path segment. Returns undefined if the value is recorded as
 * a whole.
 */
function nestedIn(value: unknown): [key: string, nested: object][] | undefined {
  if (typeof value !== 'object' || value === null || value instanceof Hidden) return undefined;
  if (!Array.isArray(value)) return [['', value]];
  const rows: Partial<Record<'uniqueId' | 'id', unknown>>[] = value;
  const named = rows.every((row) => typeof row === 'object' && (row?.uniqueId ?? row?.id) !== undefined);
  return named ? rows.map((row) => [`[${row.uniqueId ?? row.id}]`, row]) : undefined;
}

/** The largest size of `Changes` in bytes. Larger changes contain only the names of the fields. */
const largest = 16 * 1024;

/** Fields that `Changes` omits, because they change with every write or are part of the event's envelope. */
const bookkeeping = new Set([
  'id',
  'listId',
  'accountId',
  'version',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
]);

/** Returns the differences between two states of a record. For a new record, `before` is empty. */
export function changesBetween(before: object, after: object): Changes {
  const [from, to] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const changes: Changes = {};
  for (const field of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const values = [from[field], to[field]];
    const [was, is] = values.map(Hidden.valueOf);
    if (bookkeeping.has(field) || sameValue(was, is)) continue;
    changes[field] = values.some((value) => value instanceof Hidden) ? {} : { from: was, to: is };
  }
  return Buffer.byteLength(JSON.stringify(changes)) <= largest ? changes : withoutValues(changes);
}

/** Removes the values and keeps the names of the changed fields. */
export const withoutValues = (changes: Changes): Changes =>
  Object.fromEntries(Object.keys(changes).map((field) => [field, {}]));
