import { listing } from '../../shared/endpoints/listing.ts';
import { Role } from '../../shared/people/roles/schema.ts';
import { roles } from '../../shared/people/roles/store.ts';

export default listing(
  {
    path: '/roles',
    permission: 'readRoles',
    item: Role,
    filters: ['name', 'createdBy'],
    sorts: ['createdAt', 'updatedAt', 'name'],
    searchable: ['name'],
    summary: 'List roles',
  },
  ({ account }) => roles.listOf(account),
);
