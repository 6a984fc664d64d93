import { created } from '../../shared/events/emit.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { mintId } from '../../shared/id/mint.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { Team, TeamInput } from '../../shared/teams/schema.ts';
import { teams } from '../../shared/teams/store.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/teams',
    permission: 'writeTeams',
    body: TeamInput,
    response: Team,
    success: 'created',
    emits: ['team_created'],
    summary: 'Create a team',
  },
  {
    decide: ({ body, account, principal, now }) => {
      const origin = { id: mintId(now), account, by: principal.actor.user, now };
      const team = { active: true, ...body, ...newRecord(origin) };
      return { response: team, writes: teams.insert(team), events: created(teams, 'team_created', team) };
    },
  },
);
