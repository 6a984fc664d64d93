import { filterBy, listingForPrincipal } from '../../shared/endpoints/listing.ts';
import { EventKindField } from '../../shared/events/schema.ts';
import { inboxFor } from '../../shared/messaging/notifications/list-inbox.ts';
import { Notification, OfReader } from '../../shared/messaging/notifications/schema.ts';
import { scalarFields, textFields } from '../../shared/messaging/notifications/stored-notification.ts';
import { array, boolean, dateTime } from '../../shared/schema.ts';

export default listingForPrincipal(
  {
    path: '/notifications',
    permission: 'readNotifications',
    item: Notification,
    filters: [],
    sorts: scalarFields,
    searchable: textFields,
    timeField: 'created',
    customFilters: {
      markedRead: filterBy(
        boolean({ description: 'True: the read ones. Else the unread ones.' }),
        ({ markedRead }: Notification, wanted) => markedRead === wanted,
      ),
      event: filterBy(array(EventKindField), ({ event }: Notification, kinds) =>
        kinds.some((kind) => kind === event),
      ),
      since: filterBy(
        dateTime({ description: 'Arrived after it.' }),
        ({ created }: Notification, since) => created > since,
      ),
      error: filterBy(boolean(), ({ error }: Notification, wanted) => error === wanted),
    },
    indexed: ['markedRead'],
    // Only the unread are counted and lie side by side: the read ones are looked for in the window.
    partitions: ({ markedRead }) => (markedRead?.[0] ? Number.POSITIVE_INFINITY : 1),
    summary: 'List the caller’s notifications in the account',
    description:
      'The unread ones, newest first, unless the query says otherwise. A notification is kept for 90 days after the day on ' +
      'which it arrived, in UTC. The inbox of an API key is always empty, because notifications are sent to users: sign in as a user ' +
      'to read them, or subscribe a webhook.',
    extraFields: OfReader,
  },
  (request) => inboxFor(request, request.query.markedRead === true),
  ({ account, principal: { notificationPreferences = [] } }) => ({
    userDoesNotHaveNotificationPreferencesConfigured: !notificationPreferences.some(
      ({ accountId = account }) => accountId === account,
    ),
  }),
);
