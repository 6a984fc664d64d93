import { apiKeys } from '../../shared/apikeys/store.ts';
import { ApiError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { UserSession } from '../../shared/sessions/schema.ts';
import { sessionOfKey, sessionOfUser } from '../../shared/sessions/show-session.ts';
import { users } from '../../shared/users/store.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/auth/session',
    access: 'session',
    sessionOnly: true,
    response: UserSession,
    summary: 'Read the session behind a token',
  },
  {
    decide: async ({ principal, headers }) => {
      const token = (headers.authorization ?? '').replace(/^Bearer +/i, '');
      if (principal.kind === 'key')
        return {
          response: await sessionOfKey(await apiKeys.get(principal.home, principal.id), token),
        };
      const user = await users.find(principal);
      if (!user) throw new ApiError('not_authenticated');
      return { response: await sessionOfUser(user, token) };
    },
  },
);
