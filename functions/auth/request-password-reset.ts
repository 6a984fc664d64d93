import { Message } from '../../shared/http/answers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { email, object } from '../../shared/schema.ts';
import { countFailure, refuseAfterFailures } from '../../shared/sessions/login-throttle.ts';
import { users } from '../../shared/users/users.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/auth/password-reset-request',
    access: 'public',
    body: object({ email: email() }),
    response: Message,
    refuses: ['too_many_requests'],
    announces: ['user_password_reset_requested'],
    summary: 'Ask for a mail that lets a user set a new password',
    description: 'The answer is the same whether the user exists or not. The token goes out by mail alone.',
  },
  {
    decide: async ({ body, ipAddress, now }) => {
      const attempt = { name: `password-reset:${body.email.toLowerCase()}`, source: ipAddress };
      await refuseAfterFailures(attempt, now);
      const [user] = await Promise.all([
        users.addressByEmailAcrossAccounts(body.email),
        countFailure(attempt, 1, now),
      ]);
      const subject = { type: 'user', id: user?.id ?? 0 };
      const actor = { user: body.email, apiKey: null };
      return {
        answer: { message: 'If the user exists, a mail is on its way.' },
        writes: [],
        events: user
          ? [{ kind: 'user_password_reset_requested', account: user.home, actor, subject, data: {} }]
          : [],
      };
    },
  },
);
