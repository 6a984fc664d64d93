import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { notFound } from '../../shared/errors.ts';
import { created } from '../../shared/events/emit.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { inviteMember } from '../../shared/people/users/invite-user.ts';
import { takeInvitation } from '../../shared/people/users/limit-invitations.ts';
import { withinUserLimit } from '../../shared/people/users/limit-users.ts';
import { memberForEvents } from '../../shared/people/users/make-user.ts';
import { MembershipInput, User, UserParams } from '../../shared/people/users/schema.ts';
import { showUser } from '../../shared/people/users/show-user.ts';
import { users } from '../../shared/people/users/store.ts';

export default endpoint({
  method: 'POST',
  path: '/users/{email}/accounts',
  permission: 'writeUsers',
  proof: [{ purpose: 'rights', ifBody: ['roles', 'accountAdmin'] }],
  params: UserParams,
  body: MembershipInput,
  bodyOptional: true,
  response: User,
  success: 'created',
  errors: ['already_member', 'role_unknown', 'grant_exceeds_own', 'administrator_only', 'quota_exceeded'],
  emits: ['user_added_to_account'],
  rights: ['sign-ins:keep'],
  noDryRun: 'A dry run would reveal without a trace whether the email belongs to a user of another account.',
  summary: 'Invite an existing user of another account to the account in x-account-id',
  description:
    'The service mails a token to the user, valid for 72 hours. The user accepts the invitation with the token. Until ' +
    'then, the invitation grants no permissions, and responses do not contain the user’s own name, phone or imgSrc.',
  read: ({ account, params }) =>
    Promise.all([users.findInvitedByEmailAcrossAccounts(params.email), roles.all(account)]),
  decide: async (request, [user, all]) => {
    const { params, body, accountRecord, principal } = request;
    if (!user) throw notFound('user', params.email);
    const { member, writes } = inviteMember(user, body, all, request);
    const limited = await withinUserLimit(request.account, accountRecord.limits);
    await takeInvitation(user.email, request);
    return {
      response: await showUser(member, all, accountRecord, principal),
      writes: [...writes, ...limited],
      events: created(users, 'user_added_to_account', memberForEvents(member.membership)),
    };
  },
});
