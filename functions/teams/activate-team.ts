import { patchRecord } from '../../shared/endpoints/record-endpoints.ts';
import { Team } from '../../shared/people/teams/schema.ts';
import { placedTeams } from '../../shared/people/teams/store.ts';

export default patchRecord(placedTeams, {
  method: 'POST',
  path: '/teams/{id}/activate',
  permission: 'writeTeams',
  response: Team,
  emits: 'team_activated',
  set: { active: true },
  summary: 'Activate a team',
});
