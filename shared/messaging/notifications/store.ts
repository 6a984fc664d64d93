import { notFound } from '../../errors.ts';
import { asSeconds, type Item, isExpired, recordOf } from '../../table/item.ts';
import { deleteIfPresent, putIfAbsentOrExpired, putItem, type Write } from '../../table/operations.ts';
import { getItem, getItems } from '../../table/read.ts';
import { countUnread, inboxStateOf } from './inbox-item.ts';
import { arrivalKey, type InboxOwner, inboxKey, notificationKey } from './keys.ts';
import {
  dayOfArrival,
  type InboxState,
  isUnread,
  markedPlace,
  type NotificationPlace,
  notificationExpiry,
} from './rules.ts';
import type { StoredNotification } from './stored-notification.ts';

/** A notification and its arrival item expire at the same time. */
const expiring = ({ position }: NotificationPlace) => ({
  expiresAtSeconds: asSeconds(notificationExpiry(dayOfArrival(position))),
});

const arrivalItem = (owner: InboxOwner, { id, position, filedAt }: NotificationPlace): Item => ({
  ...arrivalKey(owner, id),
  type: 'arrival',
  ...expiring({ id, position }),
  id,
  position,
  filedAt,
});

/** Records that an event has arrived in an inbox. The write conflicts if the arrival is already recorded. */
export const arrivalWrite = (owner: InboxOwner, place: NotificationPlace, now: Date): Write =>
  putIfAbsentOrExpired(arrivalItem(owner, place), now);

export const notificationWrite = (owner: InboxOwner, notification: StoredNotification): Write =>
  putItem({
    ...notificationKey(owner, notification),
    type: 'notification',
    ...expiring(notification),
    ...notification,
  });

interface FoundNotification {
  owner: InboxOwner;
  notification: StoredNotification;
  state: InboxState;
}

/** Finds a notification by its id. Throws `not_found` if it is missing or expired, or the caller has no inbox. */
export async function findNotification(
  owner: InboxOwner | undefined,
  id: number,
  now: Date,
): Promise<FoundNotification> {
  if (!owner) throw notFound('notification', id);
  const [arrival, item] = await getItems([arrivalKey(owner, id), inboxKey(owner)]);
  const found =
    arrival && !isExpired(arrival, now)
      ? await getItem(notificationKey(owner, recordOf<NotificationPlace>(arrival)))
      : undefined;
  if (!found) throw notFound('notification', id);
  return { owner, notification: recordOf(found), state: inboxStateOf(item) };
}

/**
 * Marks a notification as read or unread. Writes nothing if the notification already has this state. The write
 * conflicts if another request marked the notification in the meantime.
 */
export function markNotification(
  { owner, notification, state }: FoundNotification,
  read: boolean,
  now: Date,
): { notification: StoredNotification; writes: Write[] } {
  if (isUnread(notification, state) !== read) return { notification, writes: [] };
  const { filedAt: before, ...content } = notification;
  const after = { ...content, ...markedPlace(notification, read, state) };
  const filedAt = (read ? before : after.filedAt) ?? 0;
  return {
    notification: after,
    writes: [
      moveWrite(owner, notification, after),
      deleteIfPresent(notificationKey(owner, notification), notFound('notification', notification.id)),
      notificationWrite(owner, after),
      countUnread(owner, { position: after.position, filedAt, amount: read ? -1 : 1 }, state, now),
    ],
  };
}

/** Stores the new position of a notification. The write conflicts if the position changed since it was read. */
const moveWrite = (owner: InboxOwner, { filedAt }: NotificationPlace, after: NotificationPlace): Write => ({
  operation: {
    Put: {
      Item: arrivalItem(owner, after),
      ...(filedAt === undefined
        ? { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(filedAt)' }
        : { ConditionExpression: 'filedAt = :filedAt', ExpressionAttributeValues: { ':filedAt': filedAt } }),
    },
  },
  otherwise: 'conflict',
});
