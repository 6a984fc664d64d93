import { endpoint } from '../../shared/http/endpoint.ts';
import { markAllRead, unreadIn } from '../../shared/inbox/inbox-item.ts';
import { inboxOwnerOf } from '../../shared/inbox/show-notification.ts';
import { integer, object } from '../../shared/schema.ts';

export default endpoint(
  {
    method: 'POST',
    path: '/notifications/mark-all-read',
    permission: 'readNotifications',
    response: object({ markedCount: integer({ description: 'How many were unread.', examples: [3] }) }),
    writes: true,
    summary: 'Mark all the caller’s notifications in the account as read',
  },
  {
    async once(request) {
      const owner = inboxOwnerOf(request);
      return { markedCount: owner ? await markAllRead(owner, request.now) : 0 };
    },
    async foretell(request) {
      const owner = inboxOwnerOf(request);
      return { markedCount: owner ? await unreadIn(owner, request.now) : 0 };
    },
    decide: (_, __, response) => ({ response, writes: [], events: [] }),
  },
);
