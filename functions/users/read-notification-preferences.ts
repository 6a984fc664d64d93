import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { rulesVersion } from '../../shared/people/users/change-rules.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import { isProvedSelf } from '../../shared/people/users/is-self.ts';
import { NotificationPreferencesOf, rulesFor } from '../../shared/people/users/notification-preferences.ts';
import { UserParams } from '../../shared/people/users/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/users/{email}/notification-preferences',
  administratorOnly: true,
  orSelf: 'path',
  params: UserParams,
  response: NotificationPreferencesOf,
  rights: ['emails:find'],
  summary: 'Read the notification preferences of a user',
  description:
    'Allowed for the user and for administrators of the account. Administrators get only the rules for this account. ' +
    'So does a user whose password was not set with a mailed token.',
  read: ({ account, params }) => requireMember(account, params.email),
  decide: ({ account, principal }, { user }) => {
    const all = user.notificationPreferences;
    const response = isProvedSelf(principal, user)
      ? { data: all, version: user.version }
      : { data: rulesFor(all, account), version: rulesVersion(user, account) };
    return { response };
  },
});
