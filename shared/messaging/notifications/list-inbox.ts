import { isExpired, recordOf } from '../../table/item.ts';
import { type ListSource, readOnce, shortListSource } from '../../table/list-source.ts';
import { type Bounds, getItem, type QueryResult, queryWithin } from '../../table/read.ts';
import { inboxStateOf } from './inbox-item.ts';
import { filedAfter, filedUpTo, type InboxOwner, inboxKey, markedReadRange } from './keys.ts';
import { unreadCount } from './rules.ts';
import type { Notification } from './schema.ts';
import { inboxOwnerOf, type Reader, showNotification } from './show-notification.ts';
import type { StoredNotification } from './stored-notification.ts';

/** Lists the caller's unread or read notifications, newest first. Filters apply to the notifications as shown. */
export function inboxFor(reader: Reader & { now: Date }, read: boolean): ListSource<Notification> {
  const owner = inboxOwnerOf(reader);
  if (!owner) return shortListSource(async () => []);
  const inbox = inboxOf(owner, reader.now);
  const newest = read ? inbox.newestRead : inbox.newestUnread;
  return {
    async newest(bounds) {
      const [{ items, cut }, state] = await Promise.all([newest(bounds), inbox.state()]);
      return { items: items.map((one) => showNotification(one, state, reader)), cut };
    },
    total: inbox.unreadTotal,
    show: async (page) => page,
  };
}

export function inboxOf(owner: InboxOwner, now: Date) {
  const partition = inboxKey(owner).pk;
  const state = readOnce(async () => inboxStateOf(await getItem(inboxKey(owner))));
  const within = async (sortKey: { from: string; to: string }, bounds: Bounds) => {
    const { items, cut } = await queryWithin({ partition, sortKey, newestFirst: true }, bounds);
    const kept = items.filter((item) => !isExpired(item, now));
    return { items: kept.map((item) => recordOf<StoredNotification>(item)), cut };
  };

  // The notifications since the last "mark all read" are adjacent, sorted by position.
  const newestUnread = async (bounds: Bounds): Promise<QueryResult<StoredNotification>> => {
    const known = await state();
    return unreadCount(known, now) === 0 ? { items: [] } : within(filedAfter(known.allReadUpTo), bounds);
  };

  const unreadTotal = async (): Promise<number> => unreadCount(await state(), now);

  // Merges the individually read notifications with the part of the unread list up to the last "mark all read".
  const newestRead = async ({ bytes, ...bounds }: Bounds): Promise<QueryResult<StoredNotification>> => {
    const { allReadUpTo } = await state();
    const half = { ...bounds, ...(bytes !== undefined && { bytes: bytes / 2 }) };
    const [single, covered] = await Promise.all([
      within(markedReadRange, half),
      within(filedUpTo(allReadUpTo), half),
    ]);
    const items = [...single.items, ...covered.items].sort((one, other) => other.position - one.position);
    return { items: items.slice(0, bounds.limit), cut: single.cut ?? covered.cut };
  };

  return { state, newestUnread, unreadTotal, newestRead };
}
