import { apiKeys } from '../../shared/apikeys/api-keys.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { sessionOfKey, sessionOfUser } from '../../shared/sessions/session-view.ts';
import { UserSession } from '../../shared/sessions/user-session.ts';
import { users } from '../../shared/users/users.ts';

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
    decide: async ({ caller, headers }) => {
      const token = (headers.authorization ?? '').replace(/^Bearer +/i, '');
      if (caller.kind === 'key')
        return { answer: await sessionOfKey(await apiKeys.get(caller.home, String(caller.id)), token) };
      const user = await users.find(caller);
      if (!user) throw new Refusal('not_authenticated');
      return { answer: await sessionOfUser(user, token) };
    },
  },
);
