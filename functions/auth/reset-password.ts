import { Message } from '../../shared/http/answers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { object, string } from '../../shared/schema.ts';
import { presentPasswordToken } from '../../shared/users/password-tokens.ts';
import { passwordChanged, withPassword } from '../../shared/users/set-password.ts';
import { Password } from '../../shared/users/user.ts';
import { users } from '../../shared/users/users.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/auth/password-reset',
    access: 'public',
    body: object({
      token: string({ maxLength: 256, examples: ['vB4nKwZ8cR5yH3jL6pF0dGsA2eU7iOqM4tXrB9nKvWz'] }),
      password: Password,
    }),
    response: Message,
    refuses: ['token_invalid'],
    announces: ['user_password_changed'],
    summary: 'Set a password with an invitation or a reset token, and end every session',
  },
  {
    decide: async ({ body, now }) => {
      const { user, use } = await presentPasswordToken(body.token, now);
      const after = await withPassword(user, body.password, user.email, now);
      return {
        answer: { message: 'The password is set. Log in with it.' },
        writes: [...use, ...users.replace(user, after)],
        events: passwordChanged(user, 'token'),
      };
    },
  },
);
