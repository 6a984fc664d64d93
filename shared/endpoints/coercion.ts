import { asEmailAddress, asLines, asWebAddress } from '../formats.ts';
import { asInstant } from '../instant.ts';
import { isExact } from './exact-number.ts';

/**
 * Describes how the strings in one part of a request (path, query or body) are converted. In the path and
 * query, texts become numbers and booleans. In all parts, date-times become UTC instants, and addresses and line breaks
 * get their stored form. The build derives this description from the contract's schemas. Fields that need no conversion
 * are omitted.
 */
export type Coercion =
  | 'integer'
  | 'number'
  | 'boolean'
  | 'instant'
  | 'email'
  | 'url'
  | 'lines'
  | { fields: Readonly<Record<string, Coercion>> }
  | { items: Coercion }
  | { values: Coercion }
  /** A parameter that may be repeated. A single value becomes an array with one element. */
  | { repeated: Coercion | null };

const integer = /^(?:0|-?[1-9]\d*)$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Converts plain decimals to numbers, `true`/`false` to booleans, and date-times to UTC instants. Converts email
 * addresses, URLs and line breaks to their stored form. Keeps other texts,
 * such as `0x10`, `1e3`, `+5`, `007` and numbers that a double cannot store exactly. The validator then rejects these
 * texts.
 */
export function coerced(value: unknown, coercion: Coercion | undefined): unknown {
  if (coercion === undefined) return value;
  if (typeof coercion === 'object') return coercedInside(value, coercion);
  if (typeof value !== 'string') return value;
  switch (coercion) {
    case 'integer':
      return integer.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case 'number':
      return number.test(value) && isExact(value) ? Number(value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'instant':
      return asInstant(value) ?? value;
    case 'email':
      return asEmailAddress(value);
    case 'url':
      return asWebAddress(value);
    case 'lines':
      return asLines(value);
  }
}

function coercedInside(value: unknown, coercion: Exclude<Coercion, string>): unknown {
  if ('repeated' in coercion)
    return [value].flat().map((one) => coerced(one, coercion.repeated ?? undefined));
  if ('items' in coercion)
    return Array.isArray(value) ? value.map((one) => coerced(one, coercion.items)) : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = value as Record<string, unknown>;
  for (const name of Object.keys(given)) {
    const inner = 'values' in coercion ? coercion.values : own(coercion.fields, name);
    given[name] = coerced(given[name], inner);
  }
  return given;
}

/** Ignores inherited properties, because a parameter may have the name of a property of Object.prototype. */
const own = (fields: Readonly<Record<string, Coercion>>, name: string): Coercion | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;
