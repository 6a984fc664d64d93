import { endpoint } from '../../shared/endpoints/endpoint.ts';
import {
  Notification,
  NotificationParams,
  NotificationPatch,
} from '../../shared/messaging/notifications/schema.ts';
import {
  inboxOwnerOf,
  recordsOfNotifications,
  showNotification,
} from '../../shared/messaging/notifications/show-notification.ts';
import { findNotification, markNotification } from '../../shared/messaging/notifications/store.ts';

export default endpoint({
  method: 'PATCH',
  path: '/notifications/{id}',
  permission: 'readNotifications',
  impersonated: 'never',
  params: NotificationParams,
  body: NotificationPatch,
  response: Notification,
  writes: true,
  errors: ['not_found'],
  summary: 'Mark a notification of the caller as read or unread',
  async decide(request) {
    const { params, body, now } = request;
    const found = await findNotification(inboxOwnerOf(request), params.id, now);
    const { notification, writes } = markNotification(found, body.markedRead, now);
    const records = await recordsOfNotifications([notification], request);
    const show = (one: typeof notification) => showNotification(one, found.state, request, records);
    await request.checkReadOnly(() => show(found.notification));
    return { response: show(notification), writes, events: [] };
  },
});
