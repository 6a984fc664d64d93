import { updated } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Refusal } from '../../shared/http/errors.ts';
import { roles } from '../../shared/roles/roles.ts';
import { sideBySide } from '../../shared/table/side-by-side.ts';
import { teams } from '../../shared/teams/teams.ts';
import { changeMember } from '../../shared/users/change-member.ts';
import { memberByEmail, membershipsElsewhere } from '../../shared/users/member.ts';
import { visibleMember } from '../../shared/users/new-user.ts';
import { User, UserParams, UserPatch } from '../../shared/users/user.ts';
import { userView } from '../../shared/users/user-view.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/users/{email}',
    permission: 'writeUsers',
    orSelf: true,
    params: UserParams,
    body: UserPatch,
    response: User,
    refuses: [
      'home_only',
      'permission_denied',
      'administrator_only',
      'holds_more',
      'own_membership',
      'team_unknown',
    ],
    announces: ['user_updated'],
    summary: 'Change who a user is, or what it is in this account',
    description:
      'Name, phone and image belong to the user: only it, or an administrator of the account where it was made, ' +
      'changes them. Active, team and accountAdmin belong to the named account and need writeUsers there.',
  },
  {
    read: async ({ account, params, body }) => {
      const [member, all, team] = await sideBySide([
        memberByEmail(account, params.email),
        roles.all(account),
        typeof body.teamId === 'number' ? teams.find(account, body.teamId) : undefined,
      ]);
      return { member, all, team, elsewhere: await membershipsElsewhere(member.user, account) };
    },
    decide: async ({ body, account, accountRecord, caller, now }, { member, elsewhere, all, team }) => {
      if (typeof body.teamId === 'number' && !team?.active) throw new Refusal('team_unknown');
      const { after, writes } = changeMember(member, elsewhere, body, { roles: all, caller, account, now });
      const events = updated(
        'user_updated',
        'user',
        visibleMember(member.membership),
        visibleMember(after.membership),
      );
      return { answer: await userView(after, all, accountRecord, caller), writes, events };
    },
  },
);
