import type { Event } from '../../events/envelope.ts';
import { isDeletion } from '../../integrity/audit/store.ts';
import { parents, subjectNouns } from '../../resources/derived.ts';
import { isExpired, isTombstone, recordOf } from '../../table/item.ts';
import { childKey, type Key, recordKey } from '../../table/keys.ts';
import { getItems } from '../../table/read.ts';
import { inboxStateOf } from '../notifications/inbox-item.ts';
import { arrivalKey, type InboxOwner, inboxKey } from '../notifications/keys.ts';
import { isUnread, type NotificationPlace } from '../notifications/rules.ts';

/**
 * Returns the events that are still news for a user: the user has not read them in the inbox, and their records exist.
 * The deletion of a record remains news.
 */
export async function newsOf(owner: InboxOwner, events: readonly Event[], now: Date): Promise<Event[]> {
  const [inbox, ...arrivals] = await getItems([
    inboxKey(owner),
    ...events.map(({ id }) => arrivalKey(owner, id)),
  ]);
  const state = inboxStateOf(inbox);
  const unread = events.filter((_, n) => {
    const arrival = arrivals[n];
    return !arrival || isExpired(arrival, now) || isUnread(recordOf<NotificationPlace>(arrival), state);
  });
  const places = unread.map(placesOf);
  const items = await getItems(places.flatMap((place) => place.map(({ key }) => key)));
  let read = 0;
  return unread.filter((event, n) => {
    const found = (places[n] ?? []).map(({ isChild }) => {
      const item = items[read];
      read += 1;
      // A deleted child leaves no tombstone.
      return item ? !isTombstone(item) : !isChild;
    });
    return isDeletion(event) || !found.includes(false);
  });
}

/** The keys of an event's subject and of the record that it belongs to. */
function placesOf({ accountId: account, subject }: Event): { key: Key; isChild: boolean }[] {
  const { type, id, parent } = subject;
  const records = parent ? [subject, parent] : [subject];
  const places = records.map((one) => ({
    key: recordKey(account, subjectNouns[one.type], one.id),
    isChild: false,
  }));
  const { noun, childKinds = [] } = (parent && parents[parent.type]) ?? {};
  const kind = subjectNouns[type];
  if (!parent || noun === undefined || !childKinds.includes(kind) || typeof id !== 'number') return places;
  return [
    ...places,
    { key: childKey({ account, parent: noun, parentId: parent.id, kind }, id), isChild: true },
  ];
}
