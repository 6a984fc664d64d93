import { updated } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';
import { Team, TeamPatch } from '../../shared/teams/team.ts';
import { teams } from '../../shared/teams/teams.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/teams/{id}',
    permission: 'writeTeams',
    params: RecordParams,
    body: TeamPatch,
    response: Team,
    announces: ['team_updated'],
    summary: 'Change the given fields of a team',
  },
  {
    read: ({ account, params }) => teams.get(account, params.id),
    decide: ({ body, caller, now }, team) => {
      const after = revise(team, body, caller.actor.user, now);
      return {
        answer: after,
        writes: teams.replace(team, after),
        events: updated('team_updated', 'team', team, after),
      };
    },
  },
);
