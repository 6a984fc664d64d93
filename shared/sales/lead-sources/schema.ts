import {
  boolean,
  multilineText,
  nullable,
  object,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

const name = string({ minLength: 1, maxLength: 200, examples: ['Trade fair'] });
const description = multilineText({ examples: ['Stands and talks'] });
const teamId = recordId({ description: 'The team that may use the source. Default: every team.' });

export const LeadSource = object({
  ...recordFields,
  name,
  description: optional(description),
  teamId: optional(teamId),
  active: boolean(),
});
export type LeadSource = Static<typeof LeadSource>;

export const LeadSourcePatch = object({
  name: optional(name),
  description: optional(nullable(description)),
  teamId: optional(nullable(teamId)),
});

export const LeadSourceInput = object({
  name,
  description: optional(description),
  teamId: optional(teamId),
  active: optional(boolean({ default: true })),
});
