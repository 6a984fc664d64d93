import { boolean, multilineText, nameText, nullable, object, optional, type Static } from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

const name = nameText({ examples: ['West coast'] });
const description = multilineText({ examples: ['Merchants from San Diego to Seattle'] });

export const Team = object({ ...recordFields, name, description: optional(description), active: boolean() });
export type Team = Static<typeof Team>;

export const TeamPatch = object({ name: optional(name), description: optional(nullable(description)) });

export const TeamInput = object({
  name,
  description: optional(description),
  active: optional(boolean({ default: true })),
});
