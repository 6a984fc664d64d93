import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ApiError } from '../../shared/errors.ts';
import { created } from '../../shared/events/emit.ts';
import { grantRoles } from '../../shared/people/roles/grant-roles.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { addMember, userToInvite } from '../../shared/people/users/add-member.ts';
import { memberForEvents } from '../../shared/people/users/make-user.ts';
import { MembershipInput, User, UserParams } from '../../shared/people/users/schema.ts';
import { userView } from '../../shared/people/users/show-user.ts';
import { users } from '../../shared/people/users/store.ts';

export default endpoint({
  method: 'POST',
  path: '/users/{email}/accounts',
  permission: 'writeUsers',
  params: UserParams,
  body: MembershipInput,
  bodyOptional: true,
  response: User,
  success: 'created',
  errors: ['already_member', 'role_unknown', 'grant_exceeds_own', 'administrator_only', 'quota_exceeded'],
  emits: ['user_added_to_account'],
  summary: 'Invite an existing user of another account to the account in x-account-id',
  description:
    'Until the user accepts the invitation, it grants no permissions, and responses do not contain the user’s name, phone or imgSrc.',
  read: ({ account, params }) => Promise.all([userToInvite(account, params.email), roles.all(account)]),
  decide: async (request, [user, all]) => {
    const { body, accountRecord, principal } = request;
    if (body.accountAdmin && !principal.administrator) throw new ApiError('administrator_only');
    const roleIds = grantRoles(all, body.roles ?? [], principal);
    const { accountAdmin } = body;
    const { member, writes } = addMember(user, { accountAdmin, roleIds }, request);
    return {
      response: await userView(member, all, accountRecord, principal),
      writes,
      events: created(users, 'user_added_to_account', memberForEvents(member.membership)),
    };
  },
});
