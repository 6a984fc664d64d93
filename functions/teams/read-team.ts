import { readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Team } from '../../shared/people/teams/schema.ts';
import { placedTeams } from '../../shared/people/teams/store.ts';

export default readRecord(placedTeams, {
  path: '/teams/{id}',
  permission: 'readTeams',
  response: Team,
  summary: 'Read a team',
});
