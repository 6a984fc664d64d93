import { createRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Team, TeamInput } from '../../shared/people/teams/schema.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default createRecord(teams, {
  path: '/teams',
  permission: 'writeTeams',
  body: TeamInput,
  response: Team,
  emits: 'team_created',
  record: (request) => ({ active: true, ...request.body, ...newRecord(request) }),
  summary: 'Create a team',
});
