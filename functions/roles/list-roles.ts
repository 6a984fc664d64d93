import { listing } from '../../shared/http/listing.ts';
import { Role } from '../../shared/roles/role.ts';
import { roles } from '../../shared/roles/roles.ts';

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
