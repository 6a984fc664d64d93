import { endpoint } from '../../shared/http/endpoint.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';
import { Team } from '../../shared/teams/team.ts';
import { teams } from '../../shared/teams/teams.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/teams/{id}',
    permission: 'readTeams',
    params: RecordParams,
    response: Team,
    summary: 'Read a team',
  },
  {
    read: ({ account, params }) => teams.get(account, params.id),
    decide: (_, team) => ({ answer: team }),
  },
);
