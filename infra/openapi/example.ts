import { plausible } from './plausible.ts';
import type { JsonSchema } from './types.ts';

/** What an example is for: a request leaves out what the service alone decides. */
export type Purpose = 'request' | 'answer';

/**
 * An example of a schema: its own `examples`, `const`, `default` or `enum`, else what a field of its name and
 * format plausibly holds. The first that keeps the schema's limits is taken, so that a test which still finds a bad
 * example asks for `examples` in the schema.
 *
 * The example of a request can be sent as it stands: it names no other record by id unless it must.
 */
export function exampleOf(schema: JsonSchema, purpose: Purpose, name = ''): unknown {
  const [given] = listOf(schema.examples);
  if (given !== undefined) return given;
  if (schema.const !== undefined) return schema.const;
  const [branch] = listOf(schema.anyOf ?? schema.oneOf);
  if (isSchema(branch)) return exampleOf(branch, purpose, name);
  switch (typeOf(schema)) {
    case 'object':
      return exampleObject(schema, purpose, name);
    case 'array':
      return exampleArray(schema, purpose, name);
    case 'boolean':
      return schema.default ?? true;
    case 'null':
      return null;
    default:
      return exampleValue(schema, name);
  }
}

function exampleObject(schema: JsonSchema, purpose: Purpose, name: string): Record<string, unknown> {
  const required = listOf(schema.required);
  const shown = Object.entries(isSchema(schema.properties) ? schema.properties : {}).filter(
    (entry): entry is [string, JsonSchema] =>
      isSchema(entry[1]) &&
      (required.includes(entry[0]) || purpose === 'answer' || isFreelyChosen(entry[0], entry[1])),
  );
  const example = Object.fromEntries(
    shown.map(([field, inner]) => [field, exampleOf(inner, purpose, field)]),
  );
  if (shown.length > 0 || !isSchema(schema.additionalProperties)) return example;
  return { example: exampleOf(schema.additionalProperties, purpose, name) };
}

/** A field that a caller can fill in without knowing another record. */
const isFreelyChosen = (name: string, schema: JsonSchema): boolean =>
  schema.readOnly !== true && !/(^id|Ids?|_id|assignedTo|roles|metadata)$/.test(name);

function exampleArray(schema: JsonSchema, purpose: Purpose, name: string): unknown[] {
  if (!isSchema(schema.items)) return [];
  return [exampleOf(schema.items, purpose, name.replace(/s$/, ''))];
}

function exampleValue(schema: JsonSchema, name: string): unknown {
  const candidates = [schema.default, ...listOf(schema.enum), ...plausible(name, schema)];
  const known = candidates.filter((candidate) => candidate !== undefined && candidate !== null);
  return known.find((candidate) => keepsLimits(candidate, schema)) ?? known[0];
}

/** A nullable schema lists its type before null. */
const typeOf = ({ type }: JsonSchema): unknown => (Array.isArray(type) ? type[0] : type);

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function keepsLimits(value: unknown, schema: JsonSchema): boolean {
  const limit = (keyword: string, otherwise: number) => Number(schema[keyword] ?? otherwise);
  if (typeof value === 'string')
    return (
      value.length >= limit('minLength', 0) &&
      value.length <= limit('maxLength', Number.POSITIVE_INFINITY) &&
      (typeof schema.pattern !== 'string' || new RegExp(schema.pattern, 'u').test(value))
    );
  if (typeof value === 'number')
    return (
      value >= limit('minimum', Number.NEGATIVE_INFINITY) &&
      value <= limit('maximum', Number.POSITIVE_INFINITY)
    );
  return true;
}
