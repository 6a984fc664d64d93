import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { isSelf, memberByEmail, requireOwner } from '../../shared/people/users/find-member.ts';
import { NotificationPreferencesOf, rulesFor } from '../../shared/people/users/notification-preferences.ts';
import { UserParams } from '../../shared/people/users/schema.ts';

export default endpoint({
  method: 'GET',
  path: '/users/{email}/notification-preferences',
  administratorOnly: true,
  orSelf: 'path',
  params: UserParams,
  response: NotificationPreferencesOf,
  errors: ['owner_account_only'],
  summary: 'Read the notification preferences of a user',
  description: 'Allowed for the user and for administrators of the account that created the user.',
  read: ({ account, params }) => memberByEmail(account, params.email),
  decide: ({ account, principal }, { user }) => {
    requireOwner(principal, account, user);
    const all = user.notificationPreferences;
    const data = isSelf(principal, user) ? all : rulesFor(all, account);
    return { response: { data, version: user.version } };
  },
});
