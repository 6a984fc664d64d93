import type { Coercion } from '../../shared/endpoints/coercion.ts';
import { type Contract, replacedRecord } from '../../shared/endpoints/contract.ts';
import type { ReadOnlyFields, SentBack } from '../../shared/endpoints/read-only-fields.ts';
import type { Shape } from '../../shared/endpoints/shape.ts';
import type { TSchema } from '../../shared/schema.ts';

/** The schema keywords that this module reads. */
interface Rules {
  type?: string | readonly string[];
  format?: string;
  properties?: Record<string, TSchema>;
  items?: TSchema;
  additionalProperties?: TSchema | boolean;
  anyOf?: TSchema[];
  'x-redacts'?: 'sensitive' | 'credential';
}

const typesOf = ({ type = [] }: Rules): readonly string[] => [type].flat();

/**
 * Returns the coercions of a part of a request. Date-times are coerced in all parts. Numbers, booleans and repeated
 * parameters are coerced only in path and query (`inText`). Returns undefined if no value is coerced.
 */
export function coercionOf(schema: TSchema, inText: boolean): Coercion | undefined {
  const rules = schema as Rules;
  if (rules.format === 'date-time') return 'instant';
  const inner = (value: TSchema) => coercionOf(value, inText);
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

/**
 * Returns the read-only fields of a body, at every depth: the fields that GET returns and that a request cannot set.
 * Returns undefined for an endpoint that does not replace a record.
 */
export function sentBackOf(contract: Contract): SentBack | undefined {
  const record = replacedRecord(contract) as Rules | undefined;
  const body = contract.body as Rules | undefined;
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
  if (rules.anyOf) return shapeOfAny(rules.anyOf.map(shapeOf));
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

/** The shape of `anyOf`. Merges all object shapes into one. Otherwise returns the only shape that is not 'value'. */
function shapeOfAny(shapes: Shape[]): Shape {
  const composite = shapes.filter((shape) => shape !== 'value');
  const objects = composite.flatMap((shape) =>
    typeof shape === 'object' && 'fields' in shape ? [shape] : [],
  );
  if (objects.length > 0 && objects.length === composite.length)
    return { fields: Object.assign({}, ...objects.map(({ fields }) => fields)) };
  const [only = 'value', ...others] = composite;
  if (others.length > 0) throw new Error('A response schema cannot have anyOf with an object and an array.');
  return only;
}
