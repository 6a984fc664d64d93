import { asInstant } from '../instant.ts';
import { isKept } from './exact-number.ts';

/**
 * How the values of a request are spelled where JSON does not say: a number or a truth in the text of a path or query,
 * an instant anywhere. Made of the contract's schemas by the build; what needs nothing is left out.
 */
export type Spelling =
  | 'integer'
  | 'number'
  | 'boolean'
  | 'instant'
  | { fields: Readonly<Record<string, Spelling>> }
  | { items: Spelling }
  | { values: Spelling }
  /** A parameter that may be repeated: once is a list of one. */
  | { repeated: Spelling | null };

const integer = /^(?:0|-?[1-9]\d*)$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * The value that a text spells: plain decimal digits a number, `true` and `false` a truth, a date-time its instant in
 * UTC. Anything else stays what it is, for the validator to reject: `0x10`, `1e3`, `+5` and `007` are no numbers, and
 * one that a double cannot hold is none either.
 */
export function spelled(value: unknown, spelling: Spelling | undefined): unknown {
  if (spelling === undefined) return value;
  if (typeof spelling === 'object') return spelledInside(value, spelling);
  if (typeof value !== 'string') return value;
  switch (spelling) {
    case 'integer':
      return integer.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case 'number':
      return number.test(value) && isKept(value) ? Number(value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'instant':
      return asInstant(value) ?? value;
  }
}

function spelledInside(value: unknown, spelling: Exclude<Spelling, string>): unknown {
  if ('repeated' in spelling)
    return [value].flat().map((one) => spelled(one, spelling.repeated ?? undefined));
  if ('items' in spelling)
    return Array.isArray(value) ? value.map((one) => spelled(one, spelling.items)) : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = value as Record<string, unknown>;
  for (const name of Object.keys(given)) {
    const inner = 'values' in spelling ? spelling.values : own(spelling.fields, name);
    given[name] = spelled(given[name], inner);
  }
  return given;
}

/** A parameter may have any name, such as that of something every object has. */
const own = (fields: Readonly<Record<string, Spelling>>, name: string): Spelling | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;
