import { filterBy, listing } from '../../shared/http/listing.ts';
import { string } from '../../shared/schema.ts';
import { membersOf } from '../../shared/users/list-members.ts';
import { normalizeEmail } from '../../shared/users/normalize-email.ts';
import { ListedUser, type Membership } from '../../shared/users/schema.ts';

export default listing(
  {
    path: '/users',
    permission: 'readUsers',
    item: ListedUser,
    filters: ['active', 'invited', 'teamId', 'accountAdmin', 'createdBy'],
    sorts: ['createdAt', 'updatedAt', 'email', 'name', 'active', 'teamId'],
    searchable: ['email', 'name', 'phone'],
    customFilters: {
      email: filterBy(string(), (user: Membership, email) => user.email === normalizeEmail(email)),
    },
    summary: 'List the users of the account',
  },
  ({ account }) => membersOf(account),
);
