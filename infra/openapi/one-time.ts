import type { Contract } from '../../shared/endpoints/contract.ts';
import type { TSchema } from '../../shared/schema.ts';

/**
 * The response as the document has it, which holds for a first response and for a replayed one: what is shown once is
 * not required, since a replayed response leaves it out.
 */
export const documentedResponse = ({ response, oneTime = [] }: Contract): TSchema =>
  oneTime.reduce((schema, path) => notRequired(schema, path.split('.')), response);

/** The schema without the promise that the field at a path is there. Throws for a path that it does not describe. */
function notRequired(schema: TSchema, [name = '', ...inside]: readonly string[]): TSchema {
  const { required = [], properties = {} } = schema as ObjectRules;
  const field = properties[name];
  if (!field) throw new Error(`oneTime names ${name}, which the response does not have`);
  if (inside.length > 0)
    return { ...schema, properties: { ...properties, [name]: notRequired(field, inside) } };
  return required.includes(name)
    ? { ...schema, required: required.filter((other) => other !== name) }
    : schema;
}

interface ObjectRules {
  required?: string[];
  properties?: Record<string, TSchema>;
}

/** The document's sentence about fields that are shown once; empty where there are none. */
export const describeOneTime = ({ oneTime = [] }: Contract): string =>
  oneTime.length === 0
    ? ''
    : ` A replayed response leaves out ${oneTime.map((field) => `\`${field}\``).join(', ')}, which is shown once.`;
