import { isDeepStrictEqual } from 'node:util';

/** The keywords of a schema and their values. */
export type Rules = { [keyword: string]: unknown };
export type Schema = boolean | Rules;
type JsonType = (typeof types)[number];
/** Returns the component to which a `$ref` refers. */
export type ResolveReference = (reference: { $ref: string }) => Rules;

/** One type of the values that a schema accepts, with the rules for this type. */
export interface Variant {
  type: JsonType;
  /** The only accepted values, from `enum` and `const`. */
  values?: unknown[];
  rules: Rules;
  /** The name of the component that contains the rules, if any. */
  component?: string;
}

const types = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const;
/** The types that a schema without `type` accepts. A number can be an integer. */
const anyType = types.filter((type) => type !== 'integer');

const texts: readonly JsonType[] = ['string'];
const numbers: readonly JsonType[] = ['number', 'integer'];
const objects: readonly JsonType[] = ['object'];
const arrays: readonly JsonType[] = ['array'];
/** The types of values to which a keyword applies. Any other keyword applies to all types. */
const appliesTo: Readonly<Record<string, readonly JsonType[]>> = {
  ...ofTypes(texts, 'minLength', 'maxLength', 'pattern', 'contentEncoding', 'contentMediaType', 'x-text'),
  ...ofTypes(numbers, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'),
  ...ofTypes(numbers, 'x-decimal-places'),
  ...ofTypes([...texts, ...numbers], 'format'),
  ...ofTypes(objects, 'properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'),
  ...ofTypes(objects, 'minProperties', 'maxProperties', 'discriminator', 'x-max-bytes'),
  ...ofTypes(arrays, 'items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'),
};

function ofTypes(applicable: readonly JsonType[], ...keywords: string[]) {
  return Object.fromEntries(keywords.map((keyword) => [keyword, applicable]));
}

/** The rules of one option of a schema, and the name of the component that contains all of them, if any. */
interface Option {
  rules: Rules;
  component?: string | undefined;
}

/**
 * Returns the variants of a schema. A value is valid if it is valid for one of them. Resolves `$ref`, `allOf`, `anyOf`,
 * `oneOf`, `nullable` and lists of types, but not those in properties and items.
 */
export const schemaVariants = (schema: Schema, resolve: ResolveReference): Variant[] =>
  optionsOf(schema, resolve).flatMap(splitByType);

/** Returns the options of a schema, without the keywords that combine schemas. */
function optionsOf(schema: Schema, resolve: ResolveReference): Option[] {
  if (typeof schema === 'boolean') return schema ? [{ rules: {} }] : [];
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  const any = (schemas: unknown) => asList<Schema>(schemas).flatMap((one) => optionsOf(one, resolve));
  const parts = [
    ...($ref === undefined ? [] : [referredOptions(String($ref), Object.keys(schema).length === 1, resolve)]),
    ...asList<Schema>(allOf).map((part) => optionsOf(part, resolve)),
    ...(anyOf === undefined ? [] : [any(anyOf)]),
    ...(oneOf === undefined ? [] : [any(oneOf)]),
  ];
  // A value that is valid for two schemas of `oneOf` is invalid. So `oneOf` remains a rule if such a value is possible.
  const rules = overlap(asList(oneOf), resolve) ? { ...own, oneOf } : own;
  return parts.reduce<Option[]>(
    (found, part) => found.flatMap((one) => part.map((other) => both(one, other))),
    [{ rules }],
  );
}

function referredOptions($ref: string, isOnly: boolean, resolve: ResolveReference): Option[] {
  return optionsOf(resolve({ $ref }), resolve).map(({ rules, component = componentName($ref) }) => ({
    rules,
    component: isOnly ? component : undefined,
  }));
}

/** Returns the name of the component to which a `$ref` refers. */
export const componentName = ($ref: string): string => $ref.split('/').at(-1) ?? '';

export const asList = <T>(value: unknown): T[] => (value as T[] | undefined) ?? [];
/** Returns the properties of an object's schema, in an object without inherited names such as `constructor`. */
export const propertiesOf = ({ properties }: Rules): Record<string, Schema> =>
  Object.assign(Object.create(null), properties);

/** Computes one value of a keyword from the values in two schemas of `allOf`. */
const combined: Readonly<Record<string, (one: unknown, other: unknown) => unknown>> = {
  required: (one, other) => [...new Set([...asList(one), ...asList(other)])],
  enum: (one, other) => asList(one).filter((value) => includes(asList(other), value)),
  type: (one, other) => {
    const [ones = [], others = []] = [one, other].map((type) => [type].flat() as JsonType[]);
    const isInteger = (among: JsonType[]) => among.includes('integer') || among.includes('number');
    return types.filter((type) =>
      type === 'integer'
        ? isInteger(ones) && isInteger(others)
        : ones.includes(type) && others.includes(type),
    );
  },
  properties: (one, other) => {
    const properties = { ...(one as Record<string, Schema>) };
    for (const [name, schema] of Object.entries(other as Record<string, Schema>))
      properties[name] = name in properties ? { allOf: [properties[name], schema] } : schema;
    return properties;
  },
};

/** Returns an option that contains the rules of both. Rules that cannot be combined remain in the keyword `allOf`. */
function both(one: Option, other: Option): Option {
  const rules = { ...one.rules };
  const rest: Rules = {};
  for (const [keyword, value] of Object.entries(other.rules)) {
    const combine = combined[keyword];
    if (!(keyword in rules) || isDeepStrictEqual(rules[keyword], value)) rules[keyword] = value;
    else if (combine) rules[keyword] = combine(rules[keyword], value);
    else rest[keyword] = value;
  }
  if (limitsFields(one.rules, other.rules) || limitsFields(other.rules, one.rules))
    rest.additionalProperties = [one.rules.additionalProperties, other.rules.additionalProperties];
  if (Object.keys(rest).length > 0) rules.allOf = [...asList(one.rules.allOf), rest];
  const component = adds(one, other) ? undefined : other.component;
  return { rules, component: component ?? (adds(other, one) ? undefined : one.component) };
}

/** Reports whether an option has a rule that another one lacks. A `discriminator` only describes the options. */
const adds = ({ rules }: Option, other: Option): boolean =>
  Object.keys(rules).some((keyword) => !(keyword in other.rules) && keyword !== 'discriminator');

/** Reports whether `additionalProperties` of one schema apply to a field that only the other schema declares. */
const limitsFields = (one: Rules, other: Rules): boolean =>
  (one.additionalProperties ?? true) !== true &&
  Object.keys(propertiesOf(other)).some((name) => !(name in propertiesOf(one)));

function splitByType({ component, rules: option }: Option): Variant[] {
  const { type: declared, nullable, enum: _, const: __, ...rules } = option;
  const accepted = declared === undefined ? anyType : ([declared].flat() as JsonType[]);
  return [...new Set(nullable === true ? [...accepted, 'null' as const] : accepted)].flatMap((type) => {
    const values = valuesOf(option)?.filter((value) => hasType(value, type));
    if (values?.length === 0) return [];
    const applicable = Object.entries(rules).filter(
      ([keyword]) => appliesTo[keyword]?.includes(type) ?? true,
    );
    return {
      type: type === 'number' && values?.every(Number.isInteger) ? 'integer' : type,
      ...(values && { values }),
      rules: Object.fromEntries(applicable),
      ...(component !== undefined && { component }),
    };
  });
}

function valuesOf(option: Rules): unknown[] | undefined {
  const values = option.enum as unknown[] | undefined;
  if (!('const' in option)) return values;
  return values === undefined || includes(values, option.const) ? [option.const] : [];
}

function hasType(value: unknown, type: JsonType): boolean {
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** Reports whether the list contains an equal value. */
export const includes = (values: readonly unknown[], value: unknown): boolean =>
  values.some((one) => isDeepStrictEqual(one, value));

/** Reports whether a value may be valid for two of the schemas. */
function overlap(schemas: readonly Schema[], resolve: ResolveReference): boolean {
  const variants = schemas.map((schema) => schemaVariants(schema, resolve));
  return variants.some((ones, index) =>
    variants.slice(index + 1).some((others) => !areDisjoint(ones, others, resolve)),
  );
}

const areDisjoint = (
  ones: readonly Variant[],
  others: readonly Variant[],
  resolve: ResolveReference,
): boolean => ones.every((one) => others.every((other) => excludes(one, other, resolve)));

/** Reports whether no value is valid for both. Objects exclude each other by a field that both require. */
function excludes(one: Variant, other: Variant, resolve: ResolveReference): boolean {
  if (one.type !== other.type && !(numbers.includes(one.type) && numbers.includes(other.type))) return true;
  if (one.values && other.values) return !one.values.some((value) => includes(asList(other.values), value));
  if (one.type !== 'object') return false;
  const required = asList<string>(one.rules.required).filter((name) =>
    asList(other.rules.required).includes(name),
  );
  return required.some((name) => {
    const field = ({ rules }: Variant) => schemaVariants(propertiesOf(rules)[name] ?? true, resolve);
    return areDisjoint(field(one), field(other), resolve);
  });
}
