import { REDACTED } from '../security/merge-fields.ts';

type Redactable = 'sensitive' | 'credential';

/**
 * The fields of a response, in the order of the contract. The build derives shapes from contracts, because bundles
 * contain no schemas.
 */
export type Shape =
  /** A string, number, boolean or null. */
  | 'value'
  /** A value whose schema was created with `sensitive` or `credential`. */
  | Redactable
  /** Any JSON value. */
  | 'open'
  | { fields: Readonly<Record<string, Shape>> }
  | { items: Shape }
  /** An object with any field names. The fields are sorted by name, and all values have the same shape. */
  | { values: Shape };

/**
 * Returns only the contract's fields, in the contract's order, because DynamoDB keeps no order and an item may have
 * internal fields. Values whose shape is in `redacted` are replaced with REDACTED.
 */
export function shaped(value: unknown, shape: Shape, redacted: readonly Shape[] = []): unknown {
  if (value === null || value === undefined) return value;
  if (redacted.includes(shape)) return REDACTED;
  if (typeof value !== 'object') return value;
  if (shape === 'open') return byName(value);
  if (typeof shape === 'string') return undefined;
  if ('items' in shape)
    return Array.isArray(value) ? value.map((item) => shaped(item, shape.items, redacted)) : undefined;
  if (Array.isArray(value)) return undefined;
  const given = value as Record<string, unknown>;
  if ('values' in shape)
    return Object.fromEntries(
      sortedNames(given).map((name) => [name, shaped(given[name], shape.values, redacted)]),
    );
  const response: Record<string, unknown> = {};
  for (const name in shape.fields) {
    const inner = shape.fields[name];
    if (inner !== undefined && given[name] !== undefined)
      response[name] = shaped(given[name], inner, redacted);
  }
  return response;
}

function byName(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(byName);
  const given = value as Record<string, unknown>;
  return Object.fromEntries(sortedNames(given).map((name) => [name, byName(given[name])]));
}

const sortedNames = (value: object): string[] => Object.keys(value).sort();
