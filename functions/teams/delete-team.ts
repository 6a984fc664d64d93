import { happened } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { Team } from '../../shared/teams/team.ts';
import { teams } from '../../shared/teams/teams.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/teams/{id}',
    permission: 'writeTeams',
    params: RecordParams,
    response: Team,
    announces: ['team_deleted'],
    summary: 'Delete a team; what refers to it counts as having none',
  },
  {
    read: ({ account, params }) => teams.get(account, params.id),
    decide: ({ now }, team) => ({
      answer: team,
      writes: teams.bury(team, now),
      events: happened('team_deleted', 'team', team),
    }),
  },
);
