import type { AccountId } from '../../id/account-id.ts';
import { recordOf } from '../../table/item.ts';
import { putIfAbsent, putIfEquals, putItem, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { threadIdKey, threadKey } from './keys.ts';
import type { StoredThread, ThreadOf } from './schema.ts';
import { digestedId } from './thread-id.ts';

/** The threads of an account: one item for each ticket, lead or application with mails. */
export const threads = {
  async find(account: AccountId, of: ThreadOf): Promise<StoredThread | undefined> {
    const item = await getItem(threadKey(account, of));
    return item && recordOf<StoredThread>(item);
  },

  /**
   * Returns the writes of a changed thread, which fail with a conflict if another write came first. `before` is the thread
   * as it was read; undefined if it did not exist. Empty if nothing changed.
   */
  put(before: StoredThread | undefined, after: StoredThread): Write[] {
    if (before === after) return [];
    const key = threadKey(after.accountId, after);
    const item = { ...key, type: 'mail-thread', ...after, version: (before?.version ?? 0) + 1 };
    if (before) return [putIfEquals(item, 'version', before.version)];
    const digest = digestedId(after);
    const pointer = digest === undefined ? undefined : threadIdKey(after.accountId, digest);
    return [
      putIfAbsent(item),
      ...(pointer ? [putItem({ ...pointer, type: 'mail-thread-id', recordId: after.recordId })] : []),
    ];
  },
};
