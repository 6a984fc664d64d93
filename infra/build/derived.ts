import type { Coercion } from '../../shared/endpoints/coercion.ts';
import { type Contract, replacedRecord } from '../../shared/endpoints/contract.ts';
import type { ReadOnlyFields, SentBack } from '../../shared/endpoints/read-only-fields.ts';
import type { Shape } from '../../shared/endpoints/shape.ts';
import type { TextForm } from '../../shared/formats.ts';
import type { TSchema } from '../../shared/schema.ts';

/** The schema keywords that this module reads. */
interface Rules {
  type?: string | readonly string[];
  format?: string;
  properties?: Record<string, TSchema>;
  items?: TSchema;
  additionalProperties?: TSchema | boolean;
  anyOf?: TSchema[];
  oneOf?: TSchema[];
  'x-redacts'?: 'sensitive' | 'credential';
  'x-expiry'?: true;
  'x-text'?: TextForm;
}

const typesOf = ({ type = [] }: Rules): readonly string[] => [type].flat();

/**
 * Returns the coercions of a part of a request. Date-times, addresses and texts of several lines are coerced in all
 * parts. Numbers, booleans and repeated parameters are coerced only in path and query (`inText`). Returns undefined if
 * no value is coerced. Throws for a union whose variants need different coercions of one field.
 */
export function coercionOf(schema: TSchema, inText: boolean): Coercion | undefined {
  const rules = schema as Rules;
  if (rules['x-expiry']) return undefined;
  const ofText = rules['x-text'] === 'multiline' ? 'lines' : byFormat[rules.format ?? ''];
  if (ofText) return ofText;
  const inner = (value: TSchema) => coercionOf(value, inText);
  if (rules.oneOf) return coercionOfUnion(rules.oneOf, inner);
  if (rules.properties) {
    const fields = Object.entries(rules.properties).flatMap(([name, value]) => {
      const coercion = inner(value);
      return coercion ? [[name, coercion] as const] : [];
    });
    return fields.length > 0 ? { fields: Object.fromEntries(fields) } : undefined;
  }
  if (rules.items) {
    const items = inner(rules.items);
    return inText ? { repeated: items ?? null } : items && { items };
  }
  if (typeof rules.additionalProperties === 'object') {
    const values = inner(rules.additionalProperties);
    return values && { values };
  }
  const types = typesOf(rules);
  if (!inText || types.includes('string')) return undefined;
  return (['integer', 'number', 'boolean'] as const).find((type) => types.includes(type));
}

const byFormat: Readonly<Record<string, Coercion>> = {
  'date-time': 'instant',
  email: 'email',
  uri: 'url',
};

function coercionOfUnion(
  variants: readonly Rules[],
  inner: (schema: TSchema) => Coercion | undefined,
): Coercion | undefined {
  const fields: Record<string, Coercion | undefined> = {};
  for (const [name, schema] of variants.flatMap(({ properties = {} }) => Object.entries(properties))) {
    const coercion = inner(schema);
    if (name in fields && JSON.stringify(fields[name]) !== JSON.stringify(coercion))
      throw new Error('A field must have the same coercions in all variants of a union in a request.');
    fields[name] = coercion;
  }
  const coerced = Object.entries(fields).filter(
    (field): field is [string, Coercion] => field[1] !== undefined,
  );
  return coerced.length > 0 ? { fields: Object.fromEntries(coerced) } : undefined;
}

/**
 * Returns the read-only fields of a body, at every depth: the fields that GET returns and that a request cannot set.
 * Returns undefined for an endpoint that does not replace a record. Throws if the body or the record is a union.
 */
export function sentBackOf(contract: Contract): SentBack | undefined {
  const record = replacedRecord(contract) as Rules | undefined;
  const body = contract.body as Rules | undefined;
  if (record?.oneOf || (record && body?.oneOf))
    throw new Error('A record that is replaced cannot be a union.');
  if (!record?.properties || !body) return undefined;
  if (body.properties) return { readOnly: readOnlyIn(record, body) };
  const [bodyField = ''] =
    Object.entries(record.properties).find(([, schema]) => typesOf(schema).includes('array')) ?? [];
  return { bodyField, readOnly: readOnlyIn(record, { properties: { [bodyField]: body } }) };
}

function readOnlyIn({ properties = {} }: Rules, body: Rules): ReadOnlyFields {
  const fields = Object.entries(properties).flatMap(([name, schema]): [string, ReadOnlyFields[string]][] => {
    const set = body.properties?.[name] as Rules | undefined;
    if (!set) return [[name, !('x-volatile' in schema)]];
    const inner = set.properties ? readOnlyIn(schema as Rules, set) : {};
    return Object.keys(inner).length > 0 ? [[name, inner]] : [];
  });
  return Object.fromEntries(fields);
}

/** The shape of a response, with its fields in the schema's order. Throws if a type or an array's items are missing. */
export function shapeOf(schema: TSchema): Shape {
  const rules = schema as Rules;
  const alternatives = rules.oneOf ?? rules.anyOf;
  if (alternatives) return shapeOfAny(alternatives.map(shapeOf));
  if (rules.properties)
    return {
      fields: Object.fromEntries(
        Object.entries(rules.properties).map(([name, value]) => [name, shapeOf(value)]),
      ),
    };
  if (rules.items) return { items: shapeOf(rules.items) };
  if (typeof rules.additionalProperties === 'object') return { values: shapeOf(rules.additionalProperties) };
  if (rules['x-redacts']) return rules['x-redacts'];
  const types = typesOf(rules);
  if (types.includes('object')) return 'open';
  if (types.length === 0 || types.includes('array'))
    throw new Error(`The response schema ${JSON.stringify(schema)} needs a type, and an array needs items.`);
  return 'value';
}

/**
 * Returns one shape for all alternatives of a union. If all shapes other than 'value' are objects, merges
 * their fields, at every depth. Otherwise, returns the only shape that is not 'value', or throws if there is
 * more than one.
 */
function shapeOfAny(shapes: Shape[]): Shape {
  const composite = [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()].filter(
    (shape) => shape !== 'value',
  );
  const objects = composite.flatMap((shape) =>
    typeof shape === 'object' && 'fields' in shape ? [shape] : [],
  );
  if (objects.length > 0 && objects.length === composite.length)
    return { fields: mergedFields(objects.map(({ fields }) => fields)) };
  const [only = 'value', ...others] = composite;
  if (others.length > 0) throw new Error('The alternatives of a response cannot be an object and an array.');
  return only;
}

function mergedFields(alternatives: readonly Readonly<Record<string, Shape>>[]): Record<string, Shape> {
  const names = Object.keys(Object.assign({}, ...alternatives));
  return Object.fromEntries(
    names.map((name) => [name, shapeOfAny(alternatives.flatMap((fields) => fields[name] ?? []))]),
  );
}
