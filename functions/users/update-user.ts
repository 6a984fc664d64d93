import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { updated } from '../../shared/events/emit.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { memberByEmail, membershipsElsewhere } from '../../shared/people/users/find-member.ts';
import { memberForEvents } from '../../shared/people/users/make-user.ts';
import { withPhoneNumber } from '../../shared/people/users/phone-number.ts';
import { User, UserParams, UserPatch } from '../../shared/people/users/schema.ts';
import { userView } from '../../shared/people/users/show-user.ts';
import { users } from '../../shared/people/users/store.ts';
import { updateMembership } from '../../shared/people/users/update-membership.ts';
import { inParallel, readAndCheck } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'PATCH',
  path: '/users/{email}',
  permission: 'writeUsers',
  orSelf: 'path',
  params: UserParams,
  body: UserPatch,
  response: User,
  errors: [
    'owner_account_only',
    'permission_denied',
    'administrator_only',
    'holds_more',
    'own_membership',
    'team_unknown',
  ],
  emits: ['user_updated'],
  summary: 'Change the profile or the membership of a user',
  description:
    'Only the user, or an administrator of the account that created the user, may change name, phone and imgSrc. ' +
    'active, teamId and accountAdmin apply to this account and require writeUsers.',
  read: async ({ account, params, body }) => {
    const [[member], all] = await inParallel([
      readAndCheck(
        memberByEmail(account, params.email),
        teams.requireActive(account, body.teamId),
        ({ membership }) => body.teamId === membership.teamId,
      ),
      roles.all(account),
    ]);
    return { member, all, elsewhere: await membershipsElsewhere(member.user, account) };
  },
  decide: async (request, { member, elsewhere, all }) => {
    const { accountRecord, principal } = request;
    const show = (shown: typeof member) => userView(shown, all, accountRecord, principal);
    await request.checkReadOnly(() => show(member));
    const body = withPhoneNumber(request.body, accountRecord, member.membership.phone);
    const { after, writes } = updateMembership(member, elsewhere, body, all, request);
    const [from, to] = [memberForEvents(member.membership), memberForEvents(after.membership)];
    return { response: await show(after), writes, events: updated(users, 'user_updated', from, to) };
  },
});
