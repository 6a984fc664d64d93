import { busy } from '../../errors.ts';
import type { Event } from '../../events/envelope.ts';
import { commit } from '../../events/outbox.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintId } from '../../id/mint.ts';
import { permissionsToRead } from '../../security/read-permission.ts';
import { isExpired } from '../../table/item.ts';
import type { Write } from '../../table/operations.ts';
import { getItems } from '../../table/read.ts';
import { VersionConflict } from '../../table/transact.ts';
import { dataOf } from './data-of.ts';
import { countUnread, inboxStateOf } from './inbox-item.ts';
import { arrivalKey, type InboxOwner, inboxKey } from './keys.ts';
import type { InboxState } from './rules.ts';
import { arrived, filed } from './store.ts';
import type { NotificationText, StoredNotification } from './stored-notification.ts';

interface InboxArrival {
  account: AccountId;
  userId: number;
  event: Event;
  text: NotificationText;
}

/**
 * Puts the notification of an event into a user's inbox, unread. However often and whenever it is called with the same
 * event, there is one notification, as it is by then: read or unread. Throws `busy` past the deadline, and what a
 * transaction throws.
 */
export async function addToInbox(
  { account, userId, event, text }: InboxArrival,
  { now, deadline }: { now: Date; deadline: number },
): Promise<void> {
  const owner = { account, userId };
  const { id, kind } = event;
  const { subject } = event;
  const needs = subject.type === 'user' && subject.id === userId ? [] : permissionsToRead(event);
  let position = mintId(now);
  let seen: Pick<InboxState, 'filedUpTo'> = { filedUpTo: 0 };
  for (let attempts = 0; ; ) {
    const notification = { id, position, filedAt: position, event: kind, needs, data: dataOf(event), text };
    try {
      return await commit({
        writes: arrivalOf(owner, notification, seen, now),
        events: [],
        deadline,
        attempts,
      });
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      attempts = error.attempts;
    }
    const [arrival, item] = await getItems([arrivalKey(owner, id), inboxKey(owner)]);
    if (arrival && !isExpired(arrival, now)) return;
    if (Date.now() >= deadline) throw busy();
    // All was marked read past it: it takes a new position, behind that, and is not born read.
    const state = inboxStateOf(item);
    if (position <= state.allReadUpTo) position = Math.max(mintId(now), state.allReadUpTo + 1);
    seen = state;
  }
}

/** The condition on the arrival stands first, so that a repeat does not depend on the state of the inbox. */
const arrivalOf = (
  owner: InboxOwner,
  notification: StoredNotification & { filedAt: number },
  seen: Pick<InboxState, 'filedUpTo'>,
  now: Date,
): Write[] => [
  arrived(owner, notification, now),
  filed(owner, notification),
  countUnread(owner, { ...notification, amount: 1 }, seen, now),
];
