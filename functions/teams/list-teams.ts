import { listing } from '../../shared/endpoints/listing.ts';
import { listTeams } from '../../shared/people/teams/list-teams.ts';
import { Team } from '../../shared/people/teams/schema.ts';

export default listing(
  {
    path: '/teams',
    permission: 'readTeams',
    item: Team,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      name: ['filter', 'search', 'sort'],
      description: ['search'],
      active: ['filter', 'sort'],
      createdBy: ['filter'],
    },
    summary: 'List teams',
  },
  ({ account }) => listTeams(account),
);
