import { listing } from '../../shared/http/listing.ts';
import { membersOf } from '../../shared/users/members-list.ts';
import { ListedUser } from '../../shared/users/user.ts';

export default listing(
  {
    path: '/users',
    permission: 'readUsers',
    item: ListedUser,
    filters: ['email', 'active', 'teamId', 'accountAdmin', 'createdBy'],
    sorts: ['createdAt', 'updatedAt', 'email', 'name', 'active', 'teamId'],
    searchable: ['email', 'name', 'phone'],
    summary: 'List the users of the account',
  },
  ({ account }) => membersOf(account),
);
