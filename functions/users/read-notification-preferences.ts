import { endpoint } from '../../shared/http/endpoint.ts';
import { object } from '../../shared/schema.ts';
import { memberByEmail, requireOwner } from '../../shared/users/member.ts';
import { NotificationPreferences } from '../../shared/users/notification-preference.ts';
import { UserParams } from '../../shared/users/user.ts';

export default endpoint(
  {
    method: 'GET',
    path: '/users/{email}/notification-preferences',
    params: UserParams,
    response: object({ data: NotificationPreferences }),
    refuses: ['home_only'],
    summary: 'Read how a user wants to be notified',
    description: 'For the user itself, and for administrators of the account where it was made.',
  },
  {
    read: ({ account, params }) => memberByEmail(account, params.email),
    decide: ({ account, caller }, { user }) => {
      requireOwner(caller, account, user);
      return { answer: { data: user.notificationPreferences } };
    },
  },
);
