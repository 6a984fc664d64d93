import { created } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { mintId } from '../../shared/table/mint.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { Team, TeamInput } from '../../shared/teams/team.ts';
import { teams } from '../../shared/teams/teams.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/teams',
    permission: 'writeTeams',
    body: TeamInput,
    response: Team,
    success: 'created',
    announces: ['team_created'],
    summary: 'Create a team',
  },
  {
    decide: ({ body, account, caller, now }) => {
      const origin = { id: mintId(now), account, by: caller.actor.user, now };
      const team = { active: true, ...body, ...newRecord(origin) };
      return { answer: team, writes: teams.insert(team), events: created('team_created', 'team', team) };
    },
  },
);
