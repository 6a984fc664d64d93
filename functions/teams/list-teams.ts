import { listing } from '../../shared/endpoints/listing.ts';
import { Team } from '../../shared/people/teams/schema.ts';
import { teams } from '../../shared/people/teams/store.ts';

export default listing(
  {
    path: '/teams',
    permission: 'readTeams',
    item: Team,
    filters: ['active', 'name', 'createdBy'],
    sorts: ['createdAt', 'updatedAt', 'name', 'active'],
    searchable: ['name', 'description'],
    summary: 'List teams',
  },
  ({ account }) => teams.listOf(account),
);
