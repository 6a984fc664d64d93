import { readRecord } from '../../shared/http/record-endpoints.ts';
import { Team } from '../../shared/teams/schema.ts';
import { teams } from '../../shared/teams/store.ts';

export default readRecord(teams, {
  path: '/teams/{id}',
  permission: 'readTeams',
  response: Team,
  summary: 'Read a team',
});
