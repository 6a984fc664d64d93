import { listing } from '../../shared/endpoints/listing.ts';
import { withEffective } from '../../shared/people/roles/account-permissions.ts';
import { Role } from '../../shared/people/roles/schema.ts';
import { roles } from '../../shared/people/roles/store.ts';

export default listing(
  {
    path: '/roles',
    permission: 'readRoles',
    item: Role,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      name: ['filter', 'search', 'sort'],
      createdBy: ['filter'],
    },
    summary: 'List roles',
    showTo: (role, principal) => withEffective(role, role.flatPermissionsList, principal),
  },
  ({ account }) => roles.listOf(account),
);
