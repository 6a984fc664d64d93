import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { ApiError } from '../../shared/errors.ts';
import { endOfPerson } from '../../shared/people/impersonation-records/open-impersonations.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import { requireOwnFactorOfSelf } from '../../shared/people/users/is-self.ts';
import { belongsOnlyTo } from '../../shared/people/users/rules.ts';
import { Password, UserParams } from '../../shared/people/users/schema.ts';
import { passwordForced, withPassword } from '../../shared/people/users/set-password.ts';
import { memberships, users } from '../../shared/people/users/store.ts';
import { object } from '../../shared/schema.ts';

export default endpoint({
  method: 'PUT',
  path: '/users/{email}/password',
  administratorOnly: true,
  proof: 'factors',
  params: UserParams,
  body: object({ password: Password }),
  response: Message,
  errors: ['shared_user', 'own_session_required', 'passkey_required'],
  emits: ['admin_force_set_password'],
  rights: ['sign-ins:keep'],
  destructive: true,
  summary: 'Set the password of a user of this account only, and end all sessions of the user',
  description:
    'Fails if the user is a member of another account. Invitations do not count. To accept an invitation to another ' +
    'account, the user must then set a new password. For the own password, the session must be able to change it with ' +
    'POST /auth/password.',
  read: ({ account, params }) => requireMember(account, params.email),
  decide: async (request, { user, membership }) => {
    const { body, account } = request;
    // Otherwise, the administrator could use the new password to act as the user in other accounts.
    if (!belongsOnlyTo(account, user)) throw new ApiError('shared_user');
    requireOwnFactorOfSelf(request.principal, user);
    const after = await withPassword(user, body.password, request, false);
    const ended = await endOfPerson([account], user.id, request);
    return {
      response: { message: 'The password is set and every session has ended.' },
      writes: [memberships.unchanged(membership), ...users.replace(user, after), ...ended],
      events: passwordForced(membership),
    };
  },
});
