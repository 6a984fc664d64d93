import { exampleOf } from '../../infra/openapi/example.ts';
import type { TSchema } from '../../shared/schema.ts';

export interface Rules {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Rules>;
  items?: Rules;
  additionalProperties?: Rules | boolean;
  oneOf?: Rules[];
  anyOf?: Rules[];
  'x-text'?: 'multiline' | 'name' | 'verbatim';
}

/** A field for texts: names, free texts, email addresses and URLs. Dates, date-times and enums are not texts. */
interface TextField {
  /** The path as a JSON pointer, as in the errors of Ajv. Elements of arrays have the index 0. */
  pointer: string;
  rules: Rules;
}

const isText = ({ type, enum: values, format = '' }: Rules): boolean =>
  [type].flat().includes('string') && !values && !['date', 'date-time'].includes(format);

/** Returns the schemas of the variants of a union, or the schema itself. */
export const variantsOf = (schema: TSchema): Rules[] => (schema as Rules).oneOf ?? [schema as Rules];

/** Returns all text fields of a schema. Throws for a schema that it cannot search completely. */
export function textFieldsOf(rules: Rules, pointer = ''): TextField[] {
  // A field that accepts a text or an array is filled with a text.
  if (isText(rules)) return [{ pointer, rules }];
  if (rules.oneOf || rules.anyOf || typeof rules.additionalProperties === 'object')
    throw new Error(`The texts of ${pointer || 'a body'} are not found, because it has alternatives.`);
  return [
    ...Object.entries(rules.properties ?? {}).flatMap(([name, inner]) =>
      textFieldsOf(inner, `${pointer}/${name}`),
    ),
    ...(rules.items ? textFieldsOf(rules.items, `${pointer}/0`) : []),
  ];
}

/** Returns a function that returns an input with every field of a schema, and with its argument in all text fields. */
export function filling(rules: Rules): (text: string) => unknown {
  if (isText(rules)) return (text) => text;
  if (rules.properties) {
    const fields = Object.entries(rules.properties).map(([name, inner]) => [name, filling(inner)] as const);
    return (text) => Object.fromEntries(fields.map(([name, fill]) => [name, fill(text)]));
  }
  if (rules.items) {
    const fill = filling(rules.items);
    return (text) => [fill(text)];
  }
  const example = exampleOf(rules, 'request');
  return () => example;
}

const partsOf = (pointer: string): string[] => pointer.split('/').slice(1);

/** Returns the value at a JSON pointer, or undefined. */
export const valueAt = (value: unknown, pointer: string): unknown =>
  partsOf(pointer).reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );

/**
 * Sets the value at a JSON pointer. Creates missing objects and missing arrays of texts, but no elements of arrays of
 * objects, because the elements may need other fields. Undefined removes an element. Reports whether the value was set.
 */
export function setAt(target: unknown, pointer: string, value: unknown): boolean {
  const names = partsOf(pointer);
  let inner = target as Record<string, unknown>;
  for (const [n, name] of names.slice(0, -1).entries()) {
    const isElement = names[n + 1] === '0';
    const lacksElement = Array.isArray(inner) && !(name in inner);
    if (lacksElement || (inner[name] === undefined && isElement && n < names.length - 2)) return false;
    inner[name] ??= isElement ? [] : {};
    inner = inner[name] as Record<string, unknown>;
    if (typeof inner !== 'object') return false;
  }
  const last = names.at(-1);
  if (last === undefined) return false;
  if (Array.isArray(inner) && value === undefined) inner.pop();
  else inner[last] = value;
  return true;
}

/** `/a/0/b` as in the details of an error: `a[0].b`. */
export const fieldOf = (pointer: string): string =>
  partsOf(pointer).reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
    '',
  );
