import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { ApiError } from '../../shared/errors.ts';
import { endOfPerson } from '../../shared/people/impersonation-records/open-impersonations.ts';
import { keepSession } from '../../shared/people/sessions/store.ts';
import { throttledPassword } from '../../shared/people/sessions/throttle-login.ts';
import { Password } from '../../shared/people/users/schema.ts';
import { passwordChanged, withPassword } from '../../shared/people/users/set-password.ts';
import { users } from '../../shared/people/users/store.ts';
import { enteredSecret, object } from '../../shared/schema.ts';
import { requireOwnFactor } from '../../shared/security/require-user.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/password',
  access: 'session',
  sessionOnly: true,
  body: object({
    currentPassword: enteredSecret({ maxLength: 1024, examples: ['the one before this'] }),
    newPassword: Password,
  }),
  response: Message,
  errors: ['users_only', 'password_wrong', 'too_many_requests', 'factor_required', 'passkey_required'],
  emits: ['user_password_changed'],
  rights: ['sign-ins:keep'],
  summary: 'Change the caller’s password and end its other sessions',
  description:
    'A dry run does not check currentPassword. Otherwise, dry runs could be used to guess the password.',
  decide: async (request) => {
    const { body, principal, now, ipAddress } = request;
    if (principal.kind === 'key') throw new ApiError('users_only');
    const user = await users.self(principal);
    requireOwnFactor(principal, user);
    const attempt = { name: user.email, source: ipAddress };
    const proved = await request.runOnce(
      async () => {
        const right = await throttledPassword(body.currentPassword, user.passwordHash, attempt, now);
        if (!right) throw new ApiError('password_wrong');
        return user.passwordHash;
      },
      () => user.passwordHash,
    );
    // The hashes differ if another request changed the password after this request verified it.
    if (user.passwordHash !== proved) throw new ApiError('password_wrong');
    const after = await withPassword(user, body.newPassword, request, 'as before');
    const ended = await endOfPerson(user.accountIds, user.id, request, principal.sessionId);
    const kept = keepSession(principal, { from: user.sessionEpoch, to: after.sessionEpoch });
    return {
      response: { message: 'The password is changed and every other session has ended.' },
      writes: [...users.replace(user, after), ...kept, ...ended],
      events: passwordChanged(user, 'password'),
    };
  },
});
