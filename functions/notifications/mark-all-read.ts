import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { markAll, readInbox } from '../../shared/messaging/notifications/inbox-item.ts';
import { inboxOwnerOf } from '../../shared/messaging/notifications/show-notification.ts';
import { integer, object } from '../../shared/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/notifications/mark-all-read',
  permission: 'readNotifications',
  impersonated: 'never',
  response: object({
    markedCount: integer({ description: 'The number of notifications that were unread.', examples: [3] }),
  }),
  writes: true,
  summary: 'Mark all notifications of the caller in the account as read',
  async decide(request) {
    const owner = inboxOwnerOf(request);
    if (!owner) return { response: { markedCount: 0 }, writes: [], events: [] };
    const { markedCount, writes } = markAll(owner, await readInbox(owner), request.now);
    return { response: { markedCount }, writes, events: [] };
  },
});
