import { Message } from '../../shared/http/answers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { object, string } from '../../shared/schema.ts';
import { throttledPassword } from '../../shared/sessions/login-throttle.ts';
import { keepSession } from '../../shared/sessions/sessions.ts';
import { passwordChanged, withPassword } from '../../shared/users/set-password.ts';
import { Password } from '../../shared/users/user.ts';
import { users } from '../../shared/users/users.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/auth/password',
    access: 'session',
    sessionOnly: true,
    body: object({
      currentPassword: string({ maxLength: 1024, examples: ['the one before this'] }),
      newPassword: Password,
    }),
    response: Message,
    refuses: ['users_only', 'password_wrong', 'too_many_requests'],
    announces: ['user_password_changed'],
    summary: 'Change the caller’s password and end its other sessions',
  },
  {
    once: async ({ body, caller, now, ipAddress }) => {
      if (caller.kind === 'key') throw new Refusal('users_only');
      const user = await users.find(caller);
      if (!user) throw new Refusal('not_authenticated');
      const attempt = { name: user.email, source: ipAddress };
      const right = await throttledPassword(body.currentPassword, user.passwordHash, attempt, now);
      if (!right) throw new Refusal('password_wrong');
      return user.passwordHash;
    },
    decide: async ({ body, caller, now }, _, proved) => {
      const user = await users.find(caller);
      if (!user) throw new Refusal('not_authenticated');
      // Somebody was faster: the password that was proved is the current one no more.
      if (user.passwordHash !== proved) throw new Refusal('password_wrong');
      const after = await withPassword(user, body.newPassword, user.email, now);
      const kept = keepSession(caller, user.sessionEpoch, after.sessionEpoch);
      return {
        answer: { message: 'The password is changed and every other session has ended.' },
        writes: [...users.replace(user, after), ...kept],
        events: passwordChanged(user, 'password'),
      };
    },
  },
);
