import { isObject, type Json } from './evaluate-filter.ts';

/** Always returned (RFC 7643, 7, and 3.1 about `schemas`). */
const always = new Set(['schemas', 'id']);

const namesIn = (text: string | undefined): string[][] | undefined =>
  text
    ?.split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^urn:.*:/i, '')
        .toLowerCase(),
    )
    .filter(Boolean)
    .map((name) => name.split('.'));

/** Returns the attributes of a resource that a query selects (RFC 7644, 3.9). `attributes` wins over `excludedAttributes`. */
export function selectAttributes<T extends object>(
  resource: T,
  { attributes, excludedAttributes }: { attributes?: string; excludedAttributes?: string },
): T {
  const [only, without] = [namesIn(attributes), namesIn(excludedAttributes)];
  if (only) return pick(resource, only, true) as T;
  return without ? (pick(resource, without, false) as T) : resource;
}

function pick(resource: object, names: readonly string[][], isKept: boolean): Json {
  const fields = Object.entries(resource).flatMap(([field, value]): [string, unknown][] => {
    if (always.has(field)) return [[field, value]];
    const named = names.filter(([name]) => name === field.toLowerCase());
    if (named.some(({ length }) => length === 1)) return isKept ? [[field, value]] : [];
    if (named.length === 0) return isKept ? [] : [[field, value]];
    const inner = named.map(([, ...rest]) => rest);
    return [
      [
        field,
        Array.isArray(value) ? value.map((one) => inside(one, inner, isKept)) : inside(value, inner, isKept),
      ],
    ];
  });
  return Object.fromEntries(fields);
}

const inside = (value: unknown, names: readonly string[][], isKept: boolean): unknown =>
  isObject(value) ? pick(value, names, isKept) : value;
