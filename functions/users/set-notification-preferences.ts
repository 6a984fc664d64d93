import { updated } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { object } from '../../shared/schema.ts';
import { revise } from '../../shared/table/revise.ts';
import { memberByEmail, requireOwner } from '../../shared/users/member.ts';
import { checkPreferences, NotificationPreferences } from '../../shared/users/notification-preference.ts';
import { UserParams } from '../../shared/users/user.ts';
import { users } from '../../shared/users/users.ts';

export default endpoint(
  {
    method: 'PUT',
    path: '/users/{email}/notification-preferences',
    params: UserParams,
    body: NotificationPreferences,
    response: object({ data: NotificationPreferences }),
    refuses: ['home_only', 'preferences_invalid'],
    announces: ['user_account_settings_updated'],
    summary: 'Set how a user wants to be notified, all rules at once',
    description: 'For the user itself, and for administrators of the account where it was made.',
  },
  {
    read: ({ account, params }) => memberByEmail(account, params.email),
    decide: ({ body, account, caller, now }, { user }) => {
      requireOwner(caller, account, user);
      checkPreferences(body, user.accountIds);
      const after = revise(user, { notificationPreferences: body }, caller.actor.user, now);
      const preferencesOf = ({ id, notificationPreferences }: typeof user) => ({
        id,
        notificationPreferences,
      });
      return {
        answer: { data: after.notificationPreferences },
        writes: users.replace(user, after),
        events: updated('user_account_settings_updated', 'user', preferencesOf(user), preferencesOf(after)),
      };
    },
  },
);
