import { patchRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Team, TeamPatch } from '../../shared/people/teams/schema.ts';
import { teams } from '../../shared/people/teams/store.ts';

export default patchRecord(teams, {
  path: '/teams/{id}',
  permission: 'writeTeams',
  body: TeamPatch,
  response: Team,
  emits: 'team_updated',
  set: ({ body }) => body,
  summary: 'Change the given fields of a team',
});
