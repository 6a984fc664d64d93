import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { rulesChanged, rulesVersion, withRules } from '../../shared/people/users/change-rules.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import { isProvedSelf } from '../../shared/people/users/is-self.ts';
import {
  NotificationPreferencesInput,
  NotificationPreferencesOf,
  replaceRules,
  rulesFor,
  rulesFromRequest,
} from '../../shared/people/users/notification-preferences.ts';
import { UserParams } from '../../shared/people/users/schema.ts';
import { users } from '../../shared/people/users/store.ts';

export default endpoint({
  method: 'PUT',
  path: '/users/{email}/notification-preferences',
  administratorOnly: true,
  orSelf: 'path',
  params: UserParams,
  body: NotificationPreferencesInput,
  response: NotificationPreferencesOf,
  record: NotificationPreferencesOf,
  errors: ['preferences_invalid'],
  emits: ['user_account_settings_updated'],
  rights: ['sign-ins:keep'],
  summary: 'Replace the notification preferences of a user',
  description:
    'Allowed for the user and for administrators of the account. Administrators replace only the rules for this account. ' +
    'So does a user whose password was not set with a mailed token. Also accepts the object that GET returns.',
  read: ({ account, params }) => requireMember(account, params.email),
  decide: async (request, member) => {
    const { user } = member;
    const { body, account, principal } = request;
    const byPerson = isProvedSelf(principal, user);
    const version = byPerson ? user.version : rulesVersion(user, account);
    await request.checkReadOnly(() => ({ version }));
    const rules = replaceRules(user, rulesFromRequest(body), account, byPerson);
    const after = withRules(user, rules, request);
    return {
      response: {
        ...(byPerson
          ? { data: rules, version: after.version }
          : { data: rulesFor(rules, account), version: rulesVersion(after, account) }),
      },
      writes: users.replace(user, after, version),
      events: rulesChanged(member, after, account),
    };
  },
});
