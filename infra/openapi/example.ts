import { sample } from 'openapi-sampler';

type Schema = Parameters<typeof sample>[0];

/** What an example is for: a request leaves out what the service alone decides. */
type Purpose = 'request' | 'response';

/**
 * An example of a JSON Schema: its `const`, `examples`, `default` or `enum`, else what its type, format and limits
 * allow. A text or number that nothing of this says more about gets a placeholder, so give the field `examples`.
 *
 * The example of a request can be sent as it stands: it names no other record by id unless it must.
 */
export function exampleOf(schema: object, purpose: Purpose): unknown {
  const isRequest = purpose === 'request';
  const prepared: Schema = JSON.parse(JSON.stringify(schema), (_, part) =>
    defaultFirst(isRequest ? withoutReferences(part) : part),
  );
  return sample(prepared, { skipReadOnly: isRequest });
}

/** The sampler takes the first of an `enum`, where the default is what a reader will see. */
const defaultFirst = (schema: Schema): Schema =>
  Array.isArray(schema?.enum) && schema.default !== undefined
    ? { examples: [schema.default], ...schema }
    : schema;

/** An object's schema without the fields that name another record. */
function withoutReferences(schema: Schema): Schema {
  if (![schema?.type].flat().includes('object') || schema.properties === undefined) return schema;
  const { properties, required = [] } = schema;
  const kept = Object.entries(properties).filter(
    ([name]) => required.includes(name) || !/(^id|Ids?|_id|assignedTo|roles|metadata)$/.test(name),
  );
  return { ...schema, properties: Object.fromEntries(kept) };
}
