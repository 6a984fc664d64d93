import { asInstant } from '../instant.ts';
import { isExact } from './exact-number.ts';

/**
 * How the values of a request are coerced where JSON does not say: a number or a truth in the text of a path or query,
 * an instant anywhere. Made of the contract's schemas by the build; what needs nothing is left out.
 */
export type Coercion =
  | 'integer'
  | 'number'
  | 'boolean'
  | 'instant'
  | { fields: Readonly<Record<string, Coercion>> }
  | { items: Coercion }
  | { values: Coercion }
  /** A parameter that may be repeated: once is a list of one. */
  | { repeated: Coercion | null };

const integer = /^(?:0|-?[1-9]\d*)$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * The value that a text spells: plain decimal digits a number, `true` and `false` a truth, a date-time its instant in
 * UTC. Anything else stays what it is, for the validator to reject: `0x10`, `1e3`, `+5` and `007` are no numbers, and
 * one that a double cannot hold is none either.
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

/** A parameter may have any name, such as that of something every object has. */
const own = (fields: Readonly<Record<string, Coercion>>, name: string): Coercion | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;
