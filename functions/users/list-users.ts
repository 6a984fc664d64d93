import { filterBy } from '../../shared/endpoints/list-filters.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { normalizeEmail } from '../../shared/formats.ts';
import { indexedMemberFields } from '../../shared/people/users/indexed-fields.ts';
import { membersOf } from '../../shared/people/users/list-members.ts';
import { ListedUser, type Membership } from '../../shared/people/users/schema.ts';
import { array, boolean, string } from '../../shared/schema.ts';

export default listing(
  {
    path: '/users',
    permission: 'readUsers',
    item: ListedUser,
    fields: indexedMemberFields.fields,
    customFilters: {
      invited: filterBy(array(boolean()), (user: Membership, wanted) =>
        wanted.includes(user.invited === true),
      ),
      email: filterBy(string(), (user: Membership, email) => user.email === normalizeEmail(email)),
    },
    summary: 'List the users of the account',
  },
  ({ account }) => membersOf(account),
);
