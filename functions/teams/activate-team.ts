import { switched } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';
import { Team } from '../../shared/teams/team.ts';
import { teams } from '../../shared/teams/teams.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/teams/{id}/activate',
    permission: 'writeTeams',
    params: RecordParams,
    response: Team,
    announces: ['team_activated'],
    summary: 'Activate a team',
  },
  {
    read: ({ account, params }) => teams.get(account, params.id),
    decide: ({ caller, now }, team) => {
      const after = revise(team, { active: true }, caller.actor.user, now);
      const events = switched('team_activated', 'team', team, after);
      return { answer: after, writes: teams.replace(team, after), events };
    },
  },
);
