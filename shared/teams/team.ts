import { boolean, nullable, object, optional, type Static, string } from '../schema.ts';
import { recordFields } from '../table/record-fields.ts';

const name = string({ minLength: 1, maxLength: 200, examples: ['West coast'] });

/** A group of people that leads are routed to. */
export const Team = object({ ...recordFields, name, description: optional(string()), active: boolean() });
export type Team = Static<typeof Team>;

export const TeamPatch = object({ name: optional(name), description: optional(nullable(string())) });

export const TeamInput = object({
  name,
  description: optional(string()),
  active: optional(boolean({ default: true })),
});
