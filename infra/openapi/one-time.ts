import type { Contract } from '../../shared/http/contract.ts';
import type { TSchema } from '../../shared/schema.ts';

/**
 * The response as the document has it, which holds for a first response and for a replayed one: what is shown once is
 * not required, since a replayed response leaves it out.
 */
export function documentedResponse({ response, oneTime = [] }: Contract): TSchema {
  const { required = [] } = response as { required?: string[] };
  const always = required.filter((field) => !oneTime.includes(field));
  return always.length === required.length ? response : { ...response, required: always };
}

/** The document's sentence about fields that are shown once; empty where there are none. */
export const describeOneTime = ({ oneTime = [] }: Contract): string =>
  oneTime.length === 0
    ? ''
    : ` A replayed response leaves out ${oneTime.map((field) => `\`${field}\``).join(', ')}, which is shown once.`;
