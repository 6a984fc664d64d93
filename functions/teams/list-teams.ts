import { listing } from '../../shared/http/listing.ts';
import { Team } from '../../shared/teams/schema.ts';
import { teams } from '../../shared/teams/store.ts';

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
