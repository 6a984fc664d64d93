import { endpoint } from '../../shared/endpoints/endpoint.ts';
import {
  Notification,
  NotificationParams,
  NotificationPatch,
} from '../../shared/messaging/notifications/schema.ts';
import { inboxOwnerOf, showNotification } from '../../shared/messaging/notifications/show-notification.ts';
import { findNotification, marked } from '../../shared/messaging/notifications/store.ts';

export default endpoint(
  {
    method: 'PATCH',
    path: '/notifications/{id}',
    permission: 'readNotifications',
    params: NotificationParams,
    body: NotificationPatch,
    response: Notification,
    writes: true,
    errors: ['not_found'],
    summary: 'Mark one of the caller’s notifications as read, or as unread again',
  },
  {
    async shown(request) {
      const { notification, state } = await findNotification(
        inboxOwnerOf(request),
        request.params.id,
        request.now,
      );
      return showNotification(notification, state, request);
    },
    async decide(request) {
      const { params, body, now } = request;
      const found = await findNotification(inboxOwnerOf(request), params.id, now);
      const { notification, writes } = marked(found, body.markedRead, now);
      return { response: showNotification(notification, found.state, request), writes, events: [] };
    },
  },
);
