import { REDACTED } from '../security/merge-fields.ts';

/** A value that some responses must not show. */
type Redactable = 'sensitive' | 'credential';

/**
 * The fields of a response, in the order in which they are written. Made of the contract's response by the build, since no
 * bundle carries schemas.
 */
export type Shape =
  /** A text, a number, a truth or null. */
  | 'value'
  /** The same, of a schema that the function of this name in shared/schema.ts made. */
  | Redactable
  /** Whatever its writer put there, by name. */
  | 'open'
  | { fields: Readonly<Record<string, Shape>> }
  | { items: Shape }
  /** Any names, in their order, each with one shape. */
  | { values: Shape };

/**
 * The response as its contract describes it: its fields in the contract's order, and nothing that the contract does not
 * name. What DynamoDB gives back comes in an order of its own, and may hold more than anybody meant to show.
 * REDACTED replaces each value of the kinds in `redacted`.
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
