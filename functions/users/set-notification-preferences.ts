import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { updated } from '../../shared/events/emit.ts';
import { kindWarnings, warningsAbout } from '../../shared/events/warn-about-kinds.ts';
import { isSelf, memberByEmail, requireOwner } from '../../shared/people/users/find-member.ts';
import {
  NotificationPreferencesInput,
  NotificationPreferencesOf,
  replaceRules,
  rulesFor,
  rulesFromRequest,
} from '../../shared/people/users/notification-preferences.ts';
import { UserParams } from '../../shared/people/users/schema.ts';
import { users } from '../../shared/people/users/store.ts';
import { object } from '../../shared/schema.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'PUT',
  path: '/users/{email}/notification-preferences',
  administratorOnly: true,
  orSelf: 'path',
  params: UserParams,
  body: NotificationPreferencesInput,
  response: object({ ...NotificationPreferencesOf.properties, warnings: kindWarnings }),
  record: NotificationPreferencesOf,
  errors: ['owner_account_only', 'preferences_invalid'],
  emits: ['user_account_settings_updated'],
  summary: 'Replace the notification preferences of a user',
  description:
    'Allowed for the user and for administrators of the account that created the user. Also accepts the object that GET returns.',
  read: ({ account, params }) => memberByEmail(account, params.email),
  decide: async (request, { user }) => {
    await request.checkReadOnly(() => ({ version: user.version }));
    const { body, account, principal } = request;
    requireOwner(principal, account, user);
    const sent = rulesFromRequest(body);
    const rules = replaceRules(user, sent, account, isSelf(principal, user));
    const after = revise(user, { notificationPreferences: rules }, request);
    const forEvents = ({ id, name, email, notificationPreferences }: typeof user) => ({
      id,
      name,
      email,
      notificationPreferences: rulesFor(notificationPreferences, account),
    });
    return {
      response: { data: sent, version: after.version, ...warningsAbout(body.map(({ event }) => event)) },
      writes: users.replace(user, after, user.version),
      events: updated(users, 'user_account_settings_updated', forEvents(user), forEvents(after)),
    };
  },
});
