import type { OpenAPIV3_1 } from 'openapi-types';
import { bodySchema } from '../contract-schemas.ts';
import {
  componentNames,
  type Enum,
  identityOf,
  isEnum,
  isUnion,
  queryFields,
  variantsOf,
} from './component-names.ts';
import { exampleOf } from './example.ts';
import type { NamedContract } from './naming.ts';

/** A schema of JSON Schema 2020-12 as plain JSON, without static types. */
export type JsonSchema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject;

export interface SharedSchemas {
  components: Record<string, JsonSchema>;
  /** Returns a copy of a schema in which references replace the shared schemas. */
  refer(schema: unknown): JsonSchema;
}

/**
 * Creates components for all request bodies, for unions and their variants, and for objects and enums that
 * occur more than once. A component that is a complete body or response contains an example.
 */
export function shareSchemas(endpoints: readonly NamedContract[]): SharedSchemas {
  const uses = new Map<string, number>();
  for (const { contract } of endpoints) {
    const body = bodySchema(contract);
    if (body) uses.set(identityOf(body), 2);
    for (const schema of [body, contract.response, queryFields(contract)]) countUses(schema, uses);
  }
  const isShared = (schema: object): boolean => (uses.get(identityOf(schema)) ?? 0) > 1;
  const names = componentNames(endpoints, isShared);
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== 'object' || value === null) return value;
    const component = names.get(identityOf(value));
    if (!component) return inside(value);
    const reference = { $ref: referenceTo(component) };
    const acceptsNull = 'type' in value && String(value.type).endsWith(',null');
    return {
      ...(acceptsNull ? { anyOf: [reference, { type: 'null' }] } : reference),
      ...(isEnum(value) && annotationsOf(value)),
    };
  };
  const inside = (schema: object): JsonSchema => ({
    ...Object.fromEntries(
      Object.entries(withConstant(schema))
        .filter(([, value]) => !isWidestLimit(value))
        .map(([keyword, value]) => [keyword, replaced(value)]),
    ),
    ...(isUnion(schema) && {
      discriminator: { ...schema.discriminator, mapping: mappingOf(variantsOf(schema)) },
    }),
  });
  const mappingOf = (variants: [string, object][]): Record<string, string> =>
    Object.fromEntries(
      variants.map(([text, variant]) => [text, referenceTo(names.get(identityOf(variant)))]),
    );
  const components: SharedSchemas['components'] = {};
  for (const [text, component] of names) components[component] = inside(JSON.parse(text));
  const addExample = (schema: unknown, example: () => unknown) => {
    const component = components[names.get(schema ? identityOf(schema) : '') ?? ''];
    if (component && !('examples' in component)) Object.assign(component, { examples: [example()] });
  };
  for (const { contract } of endpoints) {
    const { body = {}, response } = contract;
    addExample(bodySchema(contract), () => exampleOf(body, 'request'));
    addExample(response, () => exampleOf(response, 'response'));
  }
  return { components, refer: (schema) => replaced(schema) as JsonSchema };
}

const referenceTo = (component = ''): string => `#/components/schemas/${component}`;

/** Replaces an enum of one value with a constant, because code generators declare a separate type for each enum. */
const withConstant = (schema: object): object => {
  const { enum: values, ...rules } = schema as { enum?: unknown };
  return Array.isArray(values) && values.length === 1 ? { ...rules, const: values[0] } : schema;
};

const annotationsOf = ({ type, enum: _, ...annotations }: Enum): object => annotations;

/** Reports whether a value is the largest or smallest integer that a JavaScript number represents exactly. */
const isWidestLimit = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER;

/** Reports whether a schema is an object with arbitrary keys, and one schema for all values. */
const isMap = (schema: object): boolean =>
  'additionalProperties' in schema && typeof schema.additionalProperties === 'object';

function countUses(schema: unknown, uses: Map<string, number>): void {
  if (typeof schema !== 'object' || schema === null) return;
  if (isUnion(schema)) {
    const variants = variantsOf(schema).map(([, variant]) => variant);
    for (const one of [schema, ...variants]) uses.set(identityOf(one), 2);
  }
  if ('properties' in schema || isMap(schema) || isEnum(schema)) {
    const identity = identityOf(schema);
    uses.set(identity, (uses.get(identity) ?? 0) + 1);
  }
  for (const inner of Object.values(schema)) countUses(inner, uses);
}
