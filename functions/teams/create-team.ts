import { createRecord } from '../../shared/http/record-endpoints.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { Team, TeamInput } from '../../shared/teams/schema.ts';
import { teams } from '../../shared/teams/store.ts';

export default createRecord(teams, {
  path: '/teams',
  permission: 'writeTeams',
  body: TeamInput,
  response: Team,
  emits: 'team_created',
  record: (request) => ({ active: true, ...request.body, ...newRecord(request) }),
  summary: 'Create a team',
});
