import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import { withPhoneNumber } from '../../shared/people/users/phone-number.ts';
import { User, UserParams, UserPatch } from '../../shared/people/users/schema.ts';
import { showUser } from '../../shared/people/users/show-user.ts';
import { membershipErrors, updateMembership } from '../../shared/people/users/update-membership.ts';
import { ReassignQuery, UpdatedUser } from '../../shared/support/reassignments/schema.ts';
import { departureResult, readDeactivation } from '../../shared/support/reassignments/start-reassignment.ts';
import { inParallel, readAndCheck } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'PATCH',
  path: '/users/{email}',
  permission: 'writeUsers',
  orSelf: 'path',
  proof: [{ purpose: 'rights', ifBody: ['accountAdmin', 'active', 'teamId'] }],
  params: UserParams,
  query: ReassignQuery,
  body: UserPatch,
  response: UpdatedUser,
  record: User,
  errors: [...membershipErrors, 'team_unknown', 'user_unknown'],
  emits: ['user_updated'],
  rights: ['sign-ins:keep'],
  summary: 'Change the profile or the membership of a user',
  description:
    'Only the user and administrators of the account may change name, phone and imgSrc. The values of an administrator ' +
    'apply to this account. The values of the user apply to every account that has not entered another value, if the ' +
    'user’s password was set with a mailed token. active, teamId and accountAdmin apply to this account and require ' +
    'writeUsers. Sessions that began before `active: false` do not act in this account again, also after a new activation. ' +
    'reassignTo requires `active: false`.',
  read: async ({ account, params, query, body }) => {
    const [[member], all] = await inParallel([
      readAndCheck(
        requireMember(account, params.email),
        teams.requireActive(account, body.teamId),
        ({ membership }) => body.teamId === membership.teamId,
      ),
      roles.all(account),
    ]);
    const departure = await readDeactivation(account, member.user.id, { ...query, ...body });
    return { member, all, departure };
  },
  decide: async (request, { member, all, departure }) => {
    const { accountRecord, principal } = request;
    const show = (shown: typeof member) => showUser(shown, all, accountRecord, principal);
    await request.checkReadOnly(() => show(member));
    const body = withPhoneNumber(request.body, accountRecord);
    const { after, writes, events } = await updateMembership(member, body, all, request);
    const started = departure && departureResult(departure, request);
    const response = { ...(await show(after)), ...started?.fields };
    return { response, writes: [...writes, ...(started?.writes ?? [])], events };
  },
});
