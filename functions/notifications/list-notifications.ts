import { filterBy } from '../../shared/endpoints/list-filters.ts';
import { listingForPrincipal } from '../../shared/endpoints/listing.ts';
import { EventKindField } from '../../shared/events/schema.ts';
import { inboxFor } from '../../shared/messaging/notifications/list-inbox.ts';
import { Notification, NotificationPageFields } from '../../shared/messaging/notifications/schema.ts';
import { array, boolean, dateTime } from '../../shared/schema.ts';

export default listingForPrincipal(
  {
    path: '/notifications',
    permission: 'readNotifications',
    item: Notification,
    fields: {
      id: ['sort'],
      event: ['search', 'sort'],
      user: ['search', 'sort'],
      account_id: ['search', 'sort'],
      notificationSubject: ['search', 'sort'],
      notificationBody: ['search', 'sort'],
      portalLink: ['search', 'sort'],
      portalLinkDescription: ['search', 'sort'],
      error: ['sort'],
      markedRead: ['sort'],
      created: ['sort'],
    },
    timeField: 'created',
    customFilters: {
      markedRead: filterBy(
        boolean({ description: 'List read notifications. Default: unread notifications.' }),
        ({ markedRead }: Notification, wanted) => markedRead === wanted,
      ),
      event: filterBy(array(EventKindField), ({ event }: Notification, kinds) =>
        kinds.some((kind) => kind === event),
      ),
      since: filterBy(
        dateTime({ description: 'Only notifications that arrived after this time.' }),
        ({ created }: Notification, since) => created > since,
      ),
      error: filterBy(boolean(), ({ error }: Notification, wanted) => error === wanted),
    },
    indexed: ['markedRead'],
    // `markedRead=true` is filtered in memory, because read notifications are not stored in one key range.
    partitions: ({ markedRead }) => (markedRead?.[0] ? Number.POSITIVE_INFINITY : 1),
    summary: 'List the caller’s notifications in the account',
    description:
      'By default, lists unread notifications, newest first. A notification is kept for 90 days after the day of its arrival, in UTC. ' +
      'The inbox of an API key is always empty: sign in as a user to read notifications, or subscribe a webhook.',
    extraFields: NotificationPageFields,
  },
  (request) => inboxFor(request, request.query.markedRead === true),
  ({ account, principal: { notificationPreferences = [] } }) => ({
    userDoesNotHaveNotificationPreferencesConfigured: !notificationPreferences.some(
      ({ accountId = account }) => accountId === account,
    ),
  }),
);
