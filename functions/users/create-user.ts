import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { roles } from '../../shared/roles/roles.ts';
import { teams } from '../../shared/teams/teams.ts';
import { inviteUser } from '../../shared/users/invite-user.ts';
import { User, UserInput } from '../../shared/users/user.ts';
import { userView } from '../../shared/users/user-view.ts';

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
    refuses: ['email_exists', 'role_unknown', 'team_unknown', 'preferences_invalid', 'grant_exceeds_own'],
    announces: ['user_created'],
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
    decide: async ({ body, account, accountRecord, caller, now }, [all, team]) => {
      if (body.teamId !== undefined && !team?.active) throw new Refusal('team_unknown');
      const { member, token, writes, events } = inviteUser(body, all, { account, caller, now });
      const user = await userView(member, all, accountRecord, caller);
      return { answer: { ...user, token }, writes, events };
    },
  },
);
