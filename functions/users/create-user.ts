import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { kindWarnings, warningsAbout } from '../../shared/events/warn-about-kinds.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { inviteUser } from '../../shared/people/users/invite-user.ts';
import { withPhoneNumber } from '../../shared/people/users/phone-number.ts';
import { User, UserInput } from '../../shared/people/users/schema.ts';
import { userView } from '../../shared/people/users/show-user.ts';
import { object } from '../../shared/schema.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'POST',
  path: '/users',
  access: 'home',
  permission: 'writeUsers',
  body: UserInput,
  response: object({ ...User.properties, warnings: kindWarnings }),
  success: 'created',
  oneTime: ['token'],
  errors: ['email_exists', 'role_unknown', 'team_unknown', 'preferences_invalid', 'grant_exceeds_own'],
  emits: ['user_created'],
  summary: 'Create and invite a user',
  description:
    'The response contains the invitation token. To set a password, send the token to POST /auth/password-reset.',
  read: ({ account, body }) => inParallel([roles.all(account), teams.requireActive(account, body.teamId)]),
  decide: async (request, [all]) => {
    const body = withPhoneNumber(request.body, request.accountRecord);
    const { member, token, writes, events } = inviteUser(body, all, request);
    const user = await userView(member, all, request.accountRecord, request.principal);
    const kinds = body.notificationPreferences?.map(({ event }) => event) ?? [];
    return { response: { ...user, token, ...warningsAbout(kinds) }, writes, events };
  },
});
