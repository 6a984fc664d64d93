import { deleteRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Team } from '../../shared/people/teams/schema.ts';
import { teams } from '../../shared/people/teams/store.ts';

export default deleteRecord(teams, {
  path: '/teams/{id}',
  permission: 'writeTeams',
  response: Team,
  emits: 'team_deleted',
  summary: 'Delete a team; records that refer to it are then treated as having no team',
});
