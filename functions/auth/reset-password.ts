import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { presentPasswordToken } from '../../shared/people/users/password-tokens.ts';
import { Password } from '../../shared/people/users/schema.ts';
import { passwordChanged, withPassword } from '../../shared/people/users/set-password.ts';
import { users } from '../../shared/people/users/store.ts';
import { object, string } from '../../shared/schema.ts';
import { authoredBy } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/password-reset',
  access: 'public',
  body: object({
    token: string({ maxLength: 256, examples: ['vB4nKwZ8cR5yH3jL6pF0dGsA2eU7iOqM4tXrB9nKvWz'] }),
    password: Password,
  }),
  response: Message,
  errors: ['token_invalid'],
  emits: ['user_password_changed'],
  summary: 'Set a password with an invitation token or a reset token, and end every session of the user',
  decide: async ({ body, now }) => {
    const { user, use } = await presentPasswordToken(body.token, now);
    const after = await withPassword(user, body.password, authoredBy(user.email, now));
    return {
      response: { message: 'The password is set. Log in with the new password.' },
      writes: [...use, ...users.replace(user, after)],
      events: passwordChanged(user, 'token'),
    };
  },
});
