import { deleteRecord } from '../../shared/http/record-endpoints.ts';
import { Team } from '../../shared/teams/schema.ts';
import { teams } from '../../shared/teams/store.ts';

export default deleteRecord(teams, {
  path: '/teams/{id}',
  permission: 'writeTeams',
  response: Team,
  emits: 'team_deleted',
  summary: 'Delete a team; what refers to it counts as having none',
});
