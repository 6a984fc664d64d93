/**
 * The fields of a response, in the order in which they are written. Made of the contract's response by the build, since no
 * bundle carries schemas.
 */
export type Shape =
  /** A text, a number, a truth or null. */
  | 'value'
  /** Whatever its writer put there, by name. */
  | 'open'
  | { fields: Readonly<Record<string, Shape>> }
  | { items: Shape }
  /** Any names, in their order, each with one shape. */
  | { values: Shape };

/**
 * The response as its contract describes it: its fields in the contract's order, and nothing that the contract does not
 * name. What DynamoDB gives back comes in an order of its own, and may hold more than anybody meant to show.
 */
export function shaped(value: unknown, shape: Shape): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (shape === 'value') return undefined;
  if (shape === 'open') return byName(value);
  if ('items' in shape)
    return Array.isArray(value) ? value.map((item) => shaped(item, shape.items)) : undefined;
  if (Array.isArray(value)) return undefined;
  const given = value as Record<string, unknown>;
  if ('values' in shape)
    return Object.fromEntries(sortedNames(given).map((name) => [name, shaped(given[name], shape.values)]));
  const response: Record<string, unknown> = {};
  for (const name in shape.fields) {
    const inner = shape.fields[name];
    if (inner !== undefined && given[name] !== undefined) response[name] = shaped(given[name], inner);
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
