import { sameValue } from '../table/same-value.ts';

/** What changed, field by field. Creation has only `to`; a value too large to carry is left out. */
export type Changes = Record<string, { from?: unknown; to?: unknown }>;

/** In bytes. Larger changes keep the names of the fields and lose the values. */
const largest = 16 * 1024;

/** Fields that change with every write and that the envelope carries already. */
const bookkeeping = new Set([
  'id',
  'accountId',
  'version',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
]);

/** The difference between two states of a record, by top-level field. `before` is empty for a creation. */
export function changesBetween(before: object, after: object): Changes {
  const [from, to] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const changes: Changes = {};
  for (const field of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (bookkeeping.has(field) || sameValue(from[field], to[field])) continue;
    changes[field] = { from: from[field], to: to[field] };
  }
  if (Buffer.byteLength(JSON.stringify(changes)) <= largest) return changes;
  return Object.fromEntries(Object.keys(changes).map((field) => [field, {}]));
}
