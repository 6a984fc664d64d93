import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { created } from '../../shared/events/emit.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { createMember } from '../../shared/people/users/invite-user.ts';
import { takeInvitation } from '../../shared/people/users/limit-invitations.ts';
import { withinUserLimit } from '../../shared/people/users/limit-users.ts';
import { memberForEvents } from '../../shared/people/users/make-user.ts';
import { withPhoneNumber } from '../../shared/people/users/phone-number.ts';
import { User, UserInput } from '../../shared/people/users/schema.ts';
import { showUser } from '../../shared/people/users/show-user.ts';
import { users } from '../../shared/people/users/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'POST',
  path: '/users',
  access: 'home',
  permission: 'writeUsers',
  proof: [{ purpose: 'rights', ifBody: ['roles', 'teamId'] }],
  body: UserInput,
  response: User,
  success: 'created',
  errors: [
    'email_exists',
    'already_member',
    'role_unknown',
    'team_unknown',
    'preferences_invalid',
    'grant_exceeds_own',
    'quota_exceeded',
  ],
  emits: ['user_created'],
  rights: ['sign-ins:keep'],
  noDryRun: 'A dry run would reveal without a trace whether the email belongs to a user of another account.',
  summary: 'Create and invite a user',
  description:
    'The service mails an invitation token to the user, valid for 72 hours. With the token, the user sets a password by ' +
    'POST /auth/password-reset. If active is false, the token is mailed when the user is activated. If the rights of a ' +
    'user without a password grow, a new token replaces the older one.',
  read: ({ account, body }) =>
    inParallel([
      users.findInvitedByEmailAcrossAccounts(body.email),
      roles.all(account),
      teams.requireActive(account, body.teamId),
    ]),
  decide: async (request, [known, all]) => {
    const { accountRecord, principal } = request;
    const body = withPhoneNumber(request.body, accountRecord);
    const { member, writes } = createMember(body, known, all, request);
    const limited = await withinUserLimit(request.account, accountRecord.limits);
    if (member.membership.invitationId !== undefined) await takeInvitation(body.email, request);
    return {
      response: await showUser(member, all, accountRecord, principal),
      writes: [...writes, ...limited],
      events: created(users, 'user_created', memberForEvents(member.membership)),
    };
  },
});
