import { isExpired, recordOf } from '../table/item.ts';
import { filedAfter, filedUpTo, type InboxOwner, inboxKey, markedReadRange } from '../table/keys.ts';
import { type ListSource, readOnce } from '../table/list-source.ts';
import { type Bounds, type Found, getItem, queryWithin } from '../table/read.ts';
import { inboxStateOf } from './inbox-item.ts';
import { unreadCount } from './rules.ts';
import type { StoredNotification } from './stored-notification.ts';

/** The unread and the read notifications of an inbox, each as the source of a list, newest first. */
export function inboxOf(owner: InboxOwner, now: Date) {
  const partition = inboxKey(owner).pk;
  const state = readOnce(async () => inboxStateOf(await getItem(inboxKey(owner))));
  const within = async (sortKey: { from: string; to: string }, bounds: Bounds) => {
    const { items, cut } = await queryWithin({ partition, sortKey, newestFirst: true }, bounds);
    const kept = items.filter((item) => !isExpired(item, now));
    return { items: kept.map((item) => recordOf<StoredNotification>(item)), cut };
  };
  const page = async (shown: StoredNotification[]) => shown;

  /** Those that were filed since all was last marked read lie side by side, in the order of their positions. */
  const unread: ListSource<StoredNotification> = {
    newest: async (bounds) => within(filedAfter((await state()).allReadUpTo), bounds),
    total: async () => unreadCount(await state(), now),
    show: page,
  };

  /**
   * Those that were marked read one by one, and those that were marked with all and lie where they were filed. Both are read
   * as far as the bounds let them, and end where both are known.
   */
  const newestRead = async ({ bytes, ...bounds }: Bounds): Promise<Found<StoredNotification>> => {
    const { allReadUpTo } = await state();
    const half = { ...bounds, ...(bytes !== undefined && { bytes: bytes / 2 }) };
    const [alone, together] = await Promise.all([
      within(markedReadRange, half),
      within(filedUpTo(allReadUpTo), half),
    ]);
    const items = [...alone.items, ...together.items].sort((one, other) => other.position - one.position);
    return { items: items.slice(0, bounds.limit), cut: alone.cut ?? together.cut };
  };

  return { unread, newestRead };
}
