import type { NotificationText } from '../../channels/channel.ts';
import { busy } from '../../errors.ts';
import type { Event } from '../../events/envelope.ts';
import { commit } from '../../events/outbox.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintId } from '../../id/mint.ts';
import { permissionsToRead } from '../../security/read-permission.ts';
import { isExpired } from '../../table/item.ts';
import { getItems } from '../../table/read.ts';
import { VersionConflict } from '../../table/transact.ts';
import { dataOf } from './data-of.ts';
import { countUnread, inboxStateOf } from './inbox-item.ts';
import { arrivalKey, inboxKey } from './keys.ts';
import type { InboxState } from './rules.ts';
import { arrivalWrite, notificationWrite } from './store.ts';

interface InboxArrival {
  account: AccountId;
  userId: number;
  event: Event;
  text: NotificationText;
}

/** Adds the unread notification of an event to a user's inbox. Idempotent. Throws `busy` after the deadline. */
export async function addToInbox(
  { account, userId, event, text }: InboxArrival,
  { now, deadline }: { now: Date; deadline: number },
): Promise<void> {
  const owner = { account, userId };
  const { id, kind } = event;
  const needs = permissionsToRead(event, userId);
  let position = mintId(now);
  let known: Pick<InboxState, 'filedUpTo'> = { filedUpTo: 0 };
  for (let attempts = 0; ; ) {
    const notification = { id, position, filedAt: position, event: kind, needs, data: dataOf(event), text };
    try {
      return await commit({
        // The arrival item is the first write, so that a repeated call always fails at the condition of this write.
        writes: [
          arrivalWrite(owner, notification, now),
          notificationWrite(owner, notification),
          countUnread(owner, { ...notification, amount: 1 }, known, now),
        ],
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
    // If "mark all read" has marked this position as read, uses a later position, so that the notification is unread.
    const state = inboxStateOf(item);
    if (position <= state.allReadUpTo) position = Math.max(mintId(now), state.allReadUpTo + 1);
    known = state;
  }
}
