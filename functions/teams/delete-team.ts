import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { happened } from '../../shared/events/emit.ts';
import { withoutTeam } from '../../shared/people/team-trees/team-tree.ts';
import { readManagers, treeWrites } from '../../shared/people/teams/place-team.ts';
import { Team } from '../../shared/people/teams/schema.ts';
import { placedTeams, teams } from '../../shared/people/teams/store.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'DELETE',
  path: '/teams/{id}',
  permission: 'writeTeams',
  params: RecordParams,
  response: Team,
  errors: ['quota_exceeded'],
  emits: ['team_deleted'],
  summary: 'Delete a team; records that refer to it are then treated as having no team',
  description:
    'The teams directly below it move to the top level, and its managers lose the access that it gave them.',
  read: async ({ account, params }) => {
    const { team, tree } = await teams.getWithTree(account, params.id);
    return { team, tree, members: await readManagers(account, tree, withoutTeam(tree, team.id)) };
  },
  decide: (request, { team, tree, members }) => ({
    response: team,
    writes: [
      ...placedTeams.delete(team, request.now),
      ...treeWrites(request.account, tree, withoutTeam(tree, team.id), members),
    ],
    events: happened(placedTeams, 'team_deleted', placedTeams.forEvents(team)),
  }),
});
