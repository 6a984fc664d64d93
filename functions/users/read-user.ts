import { endpoint } from '../../shared/http/endpoint.ts';
import { roles } from '../../shared/roles/store.ts';
import { memberByEmail } from '../../shared/users/find-member.ts';
import { User, UserParams } from '../../shared/users/schema.ts';
import { userView } from '../../shared/users/show-user.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/users/{email}',
    permission: 'readUsers',
    params: UserParams,
    response: User,
    summary: 'Read a user',
  },
  {
    read: ({ account, params }) => Promise.all([memberByEmail(account, params.email), roles.all(account)]),
    decide: async ({ accountRecord, principal }, [member, all]) => ({
      response: await userView(member, all, accountRecord, principal),
    }),
  },
);
