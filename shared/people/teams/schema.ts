import {
  array,
  boolean,
  multilineText,
  nameText,
  nullable,
  object,
  optional,
  recordId,
  type Static,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { mostLevels, mostManagers } from '../team-trees/team-tree.ts';

const name = nameText({ examples: ['West coast'] });
const description = multilineText({ examples: ['Merchants from San Diego to Seattle'] });
const parentTeamId = recordId({
  description: `The team above this team. There are at most ${mostLevels} levels of teams.`,
});
const managerIds = array(recordId(), {
  maxItems: mostManagers,
  uniqueItems: true,
  description:
    'Users of the account. Where a permission is limited to the records of a team, a manager has it for this team and all teams below it. A user who leaves the account is removed.',
  examples: [[]],
});

export const Team = object({
  ...recordFields,
  name,
  description: optional(description),
  active: boolean({
    description: 'A deactivation does not change who has access to the records of the team.',
  }),
  parentTeamId: optional(parentTeamId),
  managerIds,
});
export type Team = Static<typeof Team>;

/** The tree of the account's teams contains the other fields. */
export type StoredTeam = Omit<Team, 'parentTeamId' | 'managerIds'>;

export const TeamPatch = object({
  name: optional(name),
  description: optional(nullable(description)),
  parentTeamId: optional(nullable(parentTeamId)),
  managerIds: optional(managerIds),
});

export const TeamInput = object({
  name,
  description: optional(description),
  active: optional(boolean({ default: true })),
  parentTeamId: optional(parentTeamId),
  managerIds: optional(managerIds),
});
