import { happened } from '../../events/announce.ts';
import { Message } from '../../shared/http/answers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { object } from '../../shared/schema.ts';
import { memberByEmail } from '../../shared/users/member.ts';
import { withPassword } from '../../shared/users/set-password.ts';
import { belongsOnlyTo } from '../../shared/users/standing.ts';
import { Password, UserParams } from '../../shared/users/user.ts';
import { memberships, users } from '../../shared/users/users.ts';

export default endpoint(
  {
    method: 'PUT',
    path: '/users/{email}/password',
    administratorOnly: true,
    params: UserParams,
    body: object({ password: Password }),
    response: Message,
    refuses: ['home_only', 'shared_user'],
    announces: ['admin_force_set_password'],
    summary: 'Set the password of a user who was made in this account, and end all its sessions',
    description: 'Only while the user belongs to no other account, and is invited to none.',
  },
  {
    read: ({ account, params }) => memberByEmail(account, params.email),
    decide: async ({ body, account, caller, now }, { user, membership }) => {
      if (user.owner !== account) throw new Refusal('home_only');
      // Whoever sets the password could act as the user in the other accounts too.
      if (!belongsOnlyTo(account, user)) throw new Refusal('shared_user');
      const after = await withPassword(user, body.password, caller.actor.user, now);
      return {
        answer: { message: 'The password is set and every session has ended.' },
        writes: [memberships.unchanged(membership), ...users.replace(user, after)],
        events: happened('admin_force_set_password', 'user', { id: user.id }),
      };
    },
  },
);
