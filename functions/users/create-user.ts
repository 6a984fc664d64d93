import { ApiError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { roles } from '../../shared/roles/store.ts';
import { teams } from '../../shared/teams/store.ts';
import { inviteUser } from '../../shared/users/invite-user.ts';
import { User, UserInput } from '../../shared/users/schema.ts';
import { userView } from '../../shared/users/show-user.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/users',
    access: 'home',
    permission: 'writeUsers',
    body: UserInput,
    response: User,
    success: 'created',
    oneTime: ['token'],
    errors: ['email_exists', 'role_unknown', 'team_unknown', 'preferences_invalid', 'grant_exceeds_own'],
    emits: ['user_created'],
    summary: 'Create a user and invite it',
    description:
      'The token in the answer is the invitation: POST /auth/password-reset turns it into a password.',
  },
  {
    read: ({ account, body }) =>
      Promise.all([
        roles.all(account),
        body.teamId === undefined ? undefined : teams.find(account, body.teamId),
      ]),
    decide: async ({ body, account, accountRecord, principal, now }, [all, team]) => {
      if (body.teamId !== undefined && !team?.active) throw new ApiError('team_unknown');
      const { member, token, writes, events } = inviteUser(body, all, { account, principal, now });
      const user = await userView(member, all, accountRecord, principal);
      return { response: { ...user, token }, writes, events };
    },
  },
);
