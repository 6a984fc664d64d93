import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { updated } from '../../shared/events/emit.ts';
import { placeWrites, readPlaceChange } from '../../shared/people/teams/place-team.ts';
import { Team, TeamPatch } from '../../shared/people/teams/schema.ts';
import { placedTeams, teams } from '../../shared/people/teams/store.ts';
import { requireReachOfTeams } from '../../shared/security/grants.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'PATCH',
  path: '/teams/{id}',
  permission: 'writeTeams',
  proof: [{ purpose: 'rights', ifBody: ['managerIds', 'parentTeamId'] }],
  params: RecordParams,
  body: TeamPatch,
  response: Team,
  errors: ['team_unknown', 'user_unknown', 'quota_exceeded', 'grant_exceeds_own'],
  emits: ['team_updated'],
  summary: 'Change the given fields of a team',
  description:
    'Null clears an optional field. A change of the managers or of the team above takes effect at the next request of each manager. The caller needs the permissions to read and change all leads, applications, merchants and tickets.',
  read: async ({ account, params, body }) => {
    const { team, tree } = await teams.getWithTree(account, params.id);
    return { team, place: await readPlaceChange(account, tree, body, team.id) };
  },
  decide: async (request, { team: before, place }) => {
    await request.checkReadOnly(() => before);
    if (place) requireReachOfTeams(request.principal);
    const after = revise(before, request.body, request);
    return {
      response: after,
      writes: [...placedTeams.replace(before, after), ...(place ? placeWrites(after, place) : [])],
      events: updated(placedTeams, 'team_updated', before, after),
    };
  },
});
