import { patchRecord } from '../../shared/http/record-endpoints.ts';
import { Team } from '../../shared/teams/schema.ts';
import { teams } from '../../shared/teams/store.ts';

export default patchRecord(teams, {
  method: 'POST',
  path: '/teams/{id}/deactivate',
  permission: 'writeTeams',
  response: Team,
  emits: 'team_deactivated',
  set: { active: false },
  summary: 'Deactivate a team',
});
