import { created } from '../../events/announce.ts';
import { readGrant } from '../../shared/auth/grants.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { roleIdsOf, roles } from '../../shared/roles/roles.ts';
import { mintId } from '../../shared/table/mint.ts';
import { teams } from '../../shared/teams/teams.ts';
import { normalizeEmail } from '../../shared/users/email.ts';
import { newMembership, newUser, visibleMember } from '../../shared/users/new-user.ts';
import { checkPreferences } from '../../shared/users/notification-preference.ts';
import { issuePasswordToken } from '../../shared/users/password-tokens.ts';
import { User, UserInput } from '../../shared/users/user.ts';
import { userView } from '../../shared/users/user-view.ts';
import { memberships, users } from '../../shared/users/users.ts';

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
      checkPreferences(body.notificationPreferences ?? [], [account]);
      const roleIds = roleIdsOf(all, body.roles ?? []);
      readGrant(
        roleIds.flatMap((id) => all.roles[id]?.flatPermissionsList ?? []),
        caller,
      );
      const origin = { account, by: caller.actor.user, now };
      const user = newUser({
        ...body,
        ...origin,
        id: mintId(now),
        email: normalizeEmail(body.email),
        home: account,
      });
      const membership = newMembership(user, {
        ...origin,
        active: body.active,
        teamId: body.teamId,
        roleIds,
      });
      const invitation = issuePasswordToken('invitation', user, now);
      return {
        answer: {
          ...(await userView({ user, membership }, all, accountRecord, caller)),
          token: invitation.token,
        },
        writes: [...users.insert(user), ...memberships.insert(membership), ...invitation.writes],
        events: created('user_created', 'user', visibleMember(membership)),
      };
    },
  },
);
