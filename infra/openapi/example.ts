import { sample } from 'openapi-sampler';

type Schema = Parameters<typeof sample>[0];

/** A request example omits read-only fields and optional ids of other records, so that it can be sent unchanged. */
type Purpose = 'request' | 'response';

/**
 * Generates an example from the `const`, `examples`, `default` or `enum` of a JSON Schema, or from its type, format
 * and limits. For a string or number without `examples`, the result contains a placeholder.
 */
export function exampleOf(schema: object, purpose: Purpose): unknown {
  const isRequest = purpose === 'request';
  const prepared: Schema = JSON.parse(JSON.stringify(schema), (_, part) =>
    defaultFirst(isRequest ? withoutReferences(part) : part),
  );
  return sample(prepared, { skipReadOnly: isRequest });
}

/** Makes the sampler use the default of an `enum` instead of its first value. */
const defaultFirst = (schema: Schema): Schema =>
  Array.isArray(schema?.enum) && schema.default !== undefined
    ? { examples: [schema.default], ...schema }
    : schema;

/** Removes optional fields that contain the id of another record. */
function withoutReferences(schema: Schema): Schema {
  if (![schema?.type].flat().includes('object') || schema.properties === undefined) return schema;
  const { properties, required = [] } = schema;
  const kept = Object.entries(properties).filter(
    ([name]) => required.includes(name) || !/(^id|Ids?|_id|assignedTo|roles|metadata)$/.test(name),
  );
  return { ...schema, properties: Object.fromEntries(kept) };
}
