import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { endOfPerson } from '../../shared/people/impersonation-records/open-impersonations.ts';
import { presentPasswordToken } from '../../shared/people/users/password-tokens.ts';
import { MailedToken, Password } from '../../shared/people/users/schema.ts';
import { passwordChanged, withPassword } from '../../shared/people/users/set-password.ts';
import { users } from '../../shared/people/users/store.ts';
import { object } from '../../shared/schema.ts';
import { authoredBy } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/password-reset',
  access: 'public',
  body: object({
    token: MailedToken,
    password: Password,
  }),
  response: Message,
  errors: ['token_invalid'],
  emits: ['user_password_changed'],
  rights: ['sign-ins:keep'],
  summary: 'Set a password with a mailed token, and end every session of the user',
  description:
    'Accepts the token of a reset mail, and the invitation token of the account that created the user. The token of an ' +
    'invitation to another account is not accepted: it belongs to POST /users/{email}/accounts/{accountId}/membership.',
  decide: async ({ body, now }) => {
    const { user, accepts, use } = await presentPasswordToken(body.token, now);
    const answered = accepts ? { ...user, accepted: true } : user;
    const author = authoredBy(user.email, now);
    const after = await withPassword(answered, body.password, author, true);
    const ended = await endOfPerson(user.accountIds, user.id, author);
    return {
      response: { message: 'The password is set. Log in with the new password.' },
      writes: [...use, ...users.replace(user, after), ...ended],
      events: passwordChanged(user, 'token'),
    };
  },
});
