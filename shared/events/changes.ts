import { sameValue } from '../table/revise.ts';

/**
 * What changed, by field, or in a nested record by the path of the field: `basics.dbaCity`. Creation has only `to`. A
 * value that is hidden or too large to carry is left out.
 */
export type Changes = Record<string, { from?: unknown; to?: unknown }>;

/** A value that events tell of by its path alone. Nothing prints it. */
class Hidden {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  static valueOf(value: unknown): unknown {
    return value instanceof Hidden ? value.#value : value;
  }
}

/** A value that is compared, and of which a change tells that it changed, and not from what to what. */
export const hidden = (value: unknown): unknown => new Hidden(value);

/** Fields as events tell of them: what is in those that `isSensitive` names is hidden. */
export const hiding = (fields: object, isSensitive: (field: string) => boolean): object =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, isSensitive(field) ? hidden(value) : value]),
  );

/**
 * A nested record as events tell of it: its fields by their paths, those of a list's rows by the row's `uniqueId`, else
 * its `id`: `businessOwners[u1].name`, so that a row that moved has not changed. A list of plain values is one value.
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

/** The objects inside a value, each with what the path says of it; undefined where the value is to be told whole. */
function nestedIn(value: unknown): [key: string, nested: object][] | undefined {
  if (typeof value !== 'object' || value === null || value instanceof Hidden) return undefined;
  if (!Array.isArray(value)) return [['', value]];
  const rows: Partial<Record<'uniqueId' | 'id', unknown>>[] = value;
  const named = rows.every((row) => typeof row === 'object' && (row?.uniqueId ?? row?.id) !== undefined);
  return named ? rows.map((row) => [`[${row.uniqueId ?? row.id}]`, row]) : undefined;
}

/** In bytes. Larger changes keep the names of the fields and lose the values. */
const largest = 16 * 1024;

/** Fields that change with every write and that the envelope carries already. */
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

/** The difference between two states of a record, by its fields or paths. `before` is empty for a creation. */
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

/** What changed, and not from what to what. */
export const withoutValues = (changes: Changes): Changes =>
  Object.fromEntries(Object.keys(changes).map((field) => [field, {}]));
