import { listing } from '../../shared/http/listing.ts';
import { string } from '../../shared/schema.ts';
import { normalizeEmail } from '../../shared/users/email.ts';
import { membersOf } from '../../shared/users/members-list.ts';
import { ListedUser } from '../../shared/users/user.ts';

export default listing(
  {
    path: '/users',
    permission: 'readUsers',
    item: ListedUser,
    filters: ['active', 'invited', 'teamId', 'accountAdmin', 'createdBy'],
    sorts: ['createdAt', 'updatedAt', 'email', 'name', 'active', 'teamId'],
    searchable: ['email', 'name', 'phone'],
    where: {
      email: {
        schema: string(),
        holds: (user: ListedUser, email: string) => user.email === normalizeEmail(email),
      },
    },
    summary: 'List the users of the account',
  },
  ({ account }) => membersOf(account),
);
