import type { NotificationText } from '../../channels/channel.ts';
import type { Event } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintedAt } from '../../id/mint.ts';
import type { SignedIn } from '../../security/principal.ts';
import { mayReadEvent } from '../../security/read-permission.ts';
import { readSubjectRecords, type SubjectRecords, subjectName } from '../subjects/read-subject-records.ts';
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
 * and the link is the path of the notifications page. `records` are the result of `recordsOfNotifications`.
 */
export function showNotification(
  notification: StoredNotification,
  state: Pick<InboxState, 'allReadUpTo'>,
  { account, principal }: Reader,
  records: SubjectRecords,
): Notification {
  const { id, event, position } = notification;
  const about = notification.data as Pick<Event, 'subject'>;
  const isReadable = mayReadEvent(principal, about, notification.needs, records.get(subjectName(about)));
  const { data, text }: Pick<StoredNotification, 'data'> & { text: Partial<NotificationText> } = isReadable
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

/** Reads the records of notifications, if the caller's permissions are limited to some records. */
export const recordsOfNotifications = (
  notifications: readonly Pick<StoredNotification, 'data'>[],
  { account, principal }: Reader,
): Promise<SubjectRecords> =>
  readSubjectRecords(
    account,
    notifications.map(({ data }) => data as Pick<Event, 'subject'>),
    [principal],
  );
