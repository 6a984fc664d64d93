import type { Contract } from '../../shared/endpoints/contract.ts';
import type { TSchema } from '../../shared/schema.ts';

/** The documented response. One-time fields are optional, because a replayed response omits them. */
export const documentedResponse = ({ response, oneTime = [] }: Contract): TSchema =>
  oneTime.reduce((schema, path) => notRequired(schema, path.split('.')), response);

/** Makes the field at a path optional. Throws if the schema does not have the field. */
function notRequired(schema: TSchema, [name = '', ...inside]: readonly string[]): TSchema {
  const { required = [], properties = {} } = schema as ObjectRules;
  const field = properties[name];
  if (!field) throw new Error(`oneTime names ${name}, which is not a field of the response`);
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

/** The description of the one-time fields. Empty if there are no such fields. */
export const describeOneTime = ({ oneTime = [] }: Contract): string =>
  oneTime.length === 0
    ? ''
    : ` A replayed response does not contain ${oneTime.map((field) => `\`${field}\``).join(', ')}, because it is shown only once.`;
