import { patchRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Team } from '../../shared/people/teams/schema.ts';
import { placedTeams } from '../../shared/people/teams/store.ts';

export default patchRecord(placedTeams, {
  method: 'POST',
  path: '/teams/{id}/deactivate',
  permission: 'writeTeams',
  response: Team,
  emits: 'team_deactivated',
  set: { active: false },
  summary: 'Deactivate a team',
});
