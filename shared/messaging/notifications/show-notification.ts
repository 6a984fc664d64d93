import type { NotificationText } from '../../channels/channel.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintedAt } from '../../id/mint.ts';
import type { SignedIn } from '../../security/principal.ts';
import { mayRead } from '../../security/read-permission.ts';
import type { InboxOwner } from './keys.ts';
import { type InboxState, isUnread } from './rules.ts';
import type { Notification } from './schema.ts';
import type { StoredNotification } from './stored-notification.ts';

export interface Reader {
  account: AccountId;
  principal: SignedIn;
}

/** The caller's inbox. API keys have no inbox. */
export const inboxOwnerOf = ({ account, principal }: Reader): InboxOwner | undefined =>
  principal.kind === 'user' ? { account, userId: principal.id } : undefined;

const withheld = { data: {}, text: {} };

/**
 * Returns a notification as the API shows it. If the user may no longer read the record, text and data are withheld,
 * and the link is the path of the notifications page.
 */
export function showNotification(
  notification: StoredNotification,
  state: Pick<InboxState, 'allReadUpTo'>,
  { account, principal }: Reader,
): Notification {
  const { id, event, position } = notification;
  const { data, text }: Pick<StoredNotification, 'data'> & { text: Partial<NotificationText> } = mayRead(
    principal,
    notification.needs,
  )
    ? notification
    : withheld;
  return {
    id,
    event,
    user: principal.actor.user,
    account_id: account,
    data,
    notificationSubject: text.subject ?? '',
    notificationBody: text.body ?? '',
    portalLink: text.portalLink ?? '/notifications',
    portalLinkDescription: text.portalLinkDescription ?? 'Open the notifications',
    error: notification.text.error,
    markedRead: !isUnread(notification, state),
    created: mintedAt(position).toISOString(),
  };
}
