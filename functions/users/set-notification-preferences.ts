import { updated } from '../../events/announce.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { integer, object } from '../../shared/schema.ts';
import { revise } from '../../shared/table/revise.ts';
import { isSelf, memberByEmail, requireOwner } from '../../shared/users/member.ts';
import { NotificationPreferences, rulesFor, withRules } from '../../shared/users/notification-preference.ts';
import { UserParams } from '../../shared/users/user.ts';
import { users } from '../../shared/users/users.ts';

export default endpoint(
  {
    method: 'PUT',
    path: '/users/{email}/notification-preferences',
    administratorOnly: true,
    orSelf: true,
    params: UserParams,
    body: NotificationPreferences,
    response: object({ data: NotificationPreferences, version: integer({ examples: [1] }) }),
    refuses: ['home_only', 'preferences_invalid'],
    announces: ['user_account_settings_updated'],
    summary: 'Set how a user wants to be notified, all rules at once',
    description: 'For the user itself, and for administrators of the account where it was made.',
  },
  {
    read: ({ account, params }) => memberByEmail(account, params.email),
    decide: ({ body, account, caller, now }, { user }) => {
      requireOwner(caller, account, user);
      const rules = withRules(user, body, account, isSelf(caller, user));
      const after = revise(user, { notificationPreferences: rules }, caller.actor.user, now);
      const told = ({ id, notificationPreferences }: typeof user) => ({
        id,
        notificationPreferences: rulesFor(notificationPreferences, account),
      });
      return {
        answer: { data: body, version: after.version },
        writes: users.replace(user, after, user.version),
        events: updated('user_account_settings_updated', 'user', told(user), told(after)),
      };
    },
  },
);
