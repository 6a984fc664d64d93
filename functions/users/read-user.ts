import { endpoint } from '../../shared/http/endpoint.ts';
import { roles } from '../../shared/roles/roles.ts';
import { memberByEmail } from '../../shared/users/member.ts';
import { User, UserParams } from '../../shared/users/user.ts';
import { userView } from '../../shared/users/user-view.ts';

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
    decide: async ({ accountRecord, caller }, [member, all]) => ({
      answer: await userView(member, all, accountRecord, caller),
    }),
  },
);
