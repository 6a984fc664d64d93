import { isExpired, recordOf } from '../../table/item.ts';
import { queryList } from '../../table/list-query.ts';
import { type ListSource, readOnce, shortListSource } from '../../table/list-source.ts';
import { type Bounds, getItem, type QueryResult, queryWithin } from '../../table/read.ts';
import { inboxStateOf } from './inbox-item.ts';
import { filedAfter, filedUpTo, type InboxOwner, inboxKey, markedReadRange } from './keys.ts';
import { unreadCount } from './rules.ts';
import type { Notification } from './schema.ts';
import { inboxOwnerOf, type Reader, recordsOfNotifications, showNotification } from './show-notification.ts';
import type { StoredNotification } from './stored-notification.ts';

/**
 * Lists the caller's unread or read notifications, newest first. Filters apply to the notifications as the
 * API returns them.
 */
export function inboxFor(reader: Reader & { now: Date }, read: boolean): ListSource<Notification> {
  const owner = inboxOwnerOf(reader);
  if (!owner) return shortListSource(async () => []);
  const inbox = inboxOf(owner, reader.now);
  const newest = read ? inbox.newestRead : inbox.newestUnread;
  return {
    async newest(bounds) {
      const [found, state] = await Promise.all([newest(bounds), inbox.state()]);
      const records = await recordsOfNotifications(found.items, reader);
      return { ...found, items: found.items.map((one) => showNotification(one, state, reader, records)) };
    },
    total: inbox.unreadTotal,
    show: async (page) => page,
  };
}

export function inboxOf(owner: InboxOwner, now: Date) {
  const partition = inboxKey(owner).pk;
  const state = readOnce(async () => inboxStateOf(await getItem(inboxKey(owner))));
  const within = (sortKey: { from: string; to: string }, bounds: Bounds) =>
    queryList(queryWithin, { partition, sortKey }, bounds, (item) =>
      isExpired(item, now) ? undefined : recordOf<StoredNotification>(item),
    );

  // Unread notifications are adjacent in the table: they are the part of the unread list after the last "mark all
  // read".
  const newestUnread = async (bounds: Bounds): Promise<QueryResult<StoredNotification>> => {
    const known = await state();
    return unreadCount(known, now) === 0 ? { items: [] } : within(filedAfter(known.allReadUpTo), bounds);
  };

  const unreadTotal = async (): Promise<number> => unreadCount(await state(), now);

  // Read notifications are in two places: those that were marked read one by one are in `markedReadRange`, the others
  // are in the part of the unread list up to the last "mark all read".
  const newestRead = async ({ bytes, ...bounds }: Bounds): Promise<QueryResult<StoredNotification>> => {
    const { allReadUpTo } = await state();
    if (bounds.before !== undefined) return readInKeyOrder(filedUpTo(allReadUpTo), { ...bounds, bytes });
    const half = { ...bounds, ...(bytes !== undefined && { bytes: bytes / 2 }) };
    const [single, covered] = await Promise.all([
      within(markedReadRange, half),
      within(filedUpTo(allReadUpTo), half),
    ]);
    const items = [...single.items, ...covered.items].sort((one, other) => other.position - one.position);
    return { items: items.slice(0, bounds.limit), cut: single.cut ?? covered.cut };
  };

  // Pages with a cursor need a stable order, and only the order of the keys is stable. So the range `covered`
  // is read completely before `markedReadRange`.
  const readInKeyOrder = async (covered: { from: string; to: string }, bounds: Bounds) => {
    const first = await within(covered, bounds);
    const limit = bounds.limit && bounds.limit - first.items.length;
    if (first.next !== undefined || limit === 0) return first;
    const before = bounds.before && bounds.before < covered.from ? bounds.before : '';
    const { items, positions = [], ...rest } = await within(markedReadRange, { ...bounds, limit, before });
    return {
      ...rest,
      items: [...first.items, ...items],
      positions: [...(first.positions ?? []), ...positions],
    };
  };

  return { state, newestUnread, unreadTotal, newestRead };
}
