import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { created } from '../../shared/events/emit.ts';
import { teamTrees } from '../../shared/people/team-trees/store.ts';
import { placeWrites, readPlaceChange } from '../../shared/people/teams/place-team.ts';
import { Team, TeamInput } from '../../shared/people/teams/schema.ts';
import { placedTeams } from '../../shared/people/teams/store.ts';
import { requireReachOfTeams } from '../../shared/security/grants.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/teams',
  permission: 'writeTeams',
  proof: [{ purpose: 'rights', ifBody: ['managerIds', 'parentTeamId'] }],
  body: TeamInput,
  response: Team,
  success: 'created',
  errors: ['team_unknown', 'user_unknown', 'quota_exceeded', 'grant_exceeds_own'],
  emits: ['team_created'],
  summary: 'Create a team',
  read: async ({ account, body }) => {
    const { parentTeamId, managerIds = [] } = body;
    if (parentTeamId === undefined && managerIds.length === 0) return undefined;
    return readPlaceChange(account, await teamTrees.find(account), body);
  },
  decide: (request, place) => {
    if (place) requireReachOfTeams(request.principal);
    const team = { active: true, managerIds: [], ...request.body, ...newRecord(request) };
    return {
      response: team,
      writes: [...placedTeams.insert(team), ...(place ? placeWrites(team, place) : [])],
      events: created(placedTeams, 'team_created', placedTeams.forEvents(team)),
    };
  },
});
