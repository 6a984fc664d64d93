import type { Event } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { isDeletion } from '../../integrity/audit/store.ts';
import type { Roles } from '../../people/roles/schema.ts';
import { rolesKey } from '../../people/roles/store.ts';
import { parents, subjectNouns } from '../../resources/derived.ts';
import { type Item, isExpired, isTombstone, recordOf } from '../../table/item.ts';
import { childKey, type Key, recordKey } from '../../table/keys.ts';
import { getItems } from '../../table/read.ts';
import { inboxStateOf } from '../notifications/inbox-item.ts';
import { arrivalKey, type InboxOwner, inboxKey } from '../notifications/keys.ts';
import { isUnread, type NotificationPlace } from '../notifications/rules.ts';
import { keyInOnePartition } from './keys.ts';

/**
 * Returns the events that are still news for a user: the user has not read them in the inbox, and their records exist.
 * The deletion of a record, and the removal of a user, remain news.
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
    const found = (places[n] ?? []).map(({ exists }) => {
      const item = items[read];
      read += 1;
      return exists(item);
    });
    return isDeletion(event) || event.kind === 'user_removed_from_account' || !found.includes(false);
  });
}

/** The key of an item, and whether the record of an event exists if the read returned this item. */
interface Place {
  key: Key;
  exists: (item: Item | undefined) => boolean;
}

/** For records that leave a tombstone. Some subjects, such as accounts, have no item with the key of a record. */
const withoutTombstone = (item: Item | undefined): boolean => !item || !isTombstone(item);

/** For records that leave no tombstone. */
const present = (item: Item | undefined): boolean => item !== undefined && !isTombstone(item);

/** The subject types whose records are in one partition of the account. They leave no tombstone. */
export const typesInOnePartition = ['webhook', 'api_key', 'vanity_domain'] as const;

function placeOf(account: AccountId, { type, id }: Event['subject']): Place {
  const noun = subjectNouns[type];
  if (type === 'role')
    return {
      key: rolesKey(account),
      exists: (item) => item !== undefined && String(id) in recordOf<Roles>(item).roles,
    };
  if (typesInOnePartition.some((one) => one === type) && typeof id === 'number')
    return { key: keyInOnePartition(account, noun, id), exists: present };
  const key = recordKey(account, noun, id);
  return { key, exists: type === 'user' ? present : withoutTombstone };
}

/** The places of an event's subject and of the record that it belongs to. */
function placesOf({ accountId: account, subject }: Event): Place[] {
  const { type, id, parent } = subject;
  const places = [placeOf(account, subject), ...(parent ? [placeOf(account, { ...parent, label: '' })] : [])];
  const { noun, childKinds = [] } = (parent && parents[parent.type]) ?? {};
  const kind = subjectNouns[type];
  if (!parent || noun === undefined || !childKinds.includes(kind) || typeof id !== 'number') return places;
  return [
    ...places,
    { key: childKey({ account, parent: noun, parentId: parent.id, kind }, id), exists: present },
  ];
}
