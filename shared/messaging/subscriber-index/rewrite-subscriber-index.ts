import type { EventKind } from '../../events/kinds.ts';
import type { AccountId } from '../../id/account-id.ts';
import { subscriberKey, subscriberPartition } from '../../people/users/keys.ts';
import type { SubscriberIndexMarker } from '../../people/users/mark-subscriber-index.ts';
import { type OwnRule, ownRules } from '../../people/users/own-rules.ts';
import { users } from '../../people/users/store.ts';
import { recordOf } from '../../table/item.ts';
import { checkAt, deleteIfVersion, deleteItem, putItem } from '../../table/operations.ts';
import { getItem, queryItems } from '../../table/read.ts';
import { transact, VersionConflict } from '../../table/transact.ts';

/** A transaction holds 100 operations; two are the list of the rows and the mark. */
const rowsAtOnce = 98;
/** So many users are rewritten side by side. */
const atOnce = 10;

/**
 * Rewrites the rows of every user that is marked, then takes the marks away. True when no mark of those it found is
 * left, or each of them was set anew meanwhile; false when `deadline`, in milliseconds since 1970, came first. A user
 * that fails keeps its mark and does not stop the others; the first such error is thrown once all were tried.
 */
export async function rewriteSubscriberIndex(account: AccountId, deadline: number): Promise<boolean> {
  const items = await queryItems({ partition: subscriberPartition(account, 'CHANGED') });
  const markers = items.map((item) => recordOf<SubscriberIndexMarker>(item));
  const errors: unknown[] = [];
  for (let start = 0; start < markers.length; start += atOnce) {
    if (Date.now() >= deadline) return false;
    const some = markers.slice(start, start + atOnce).map((one) => rewriteUserRows(account, one, deadline));
    for (const result of await Promise.allSettled(some))
      if (result.status === 'rejected') errors.push(result.reason);
  }
  if (errors.length > 0) throw errors[0];
  return true;
}

/**
 * Makes the rows of a user what its own record says. Each transaction holds only while the mark is the one that was read
 * before the record, and the last takes it away, so that nobody who was overtaken by a change writes what is no longer so.
 */
export async function rewriteUserRows(
  account: AccountId,
  marker: SubscriberIndexMarker,
  deadline: number,
): Promise<void> {
  const listKey = subscriberKey(account, 'ROWS', marker.id);
  const markerKey = subscriberKey(account, 'CHANGED', marker.id);
  const [user, list] = await Promise.all([users.find(marker), getItem(listKey)]);
  const wanted = user ? ownRules(user, account) : new Map<EventKind, OwnRule>();
  const there = new Set((list?.kinds ?? []) as EventKind[]);
  const gone = [...there].filter((kind) => !wanted.has(kind));
  const rows = [
    ...[...wanted].map(([kind, rule]) => putItem({ ...subscriberKey(account, kind, marker.id), ...rule })),
    ...gone.map((kind) => deleteItem(subscriberKey(account, kind, marker.id))),
  ];
  const listOf = (kinds: Iterable<EventKind>) => {
    const all = [...new Set(kinds)];
    return all.length > 0 ? putItem({ ...listKey, type: 'audience-rows', kinds: all }) : deleteItem(listKey);
  };
  try {
    // The list names at any time at least what is there.
    for (let start = rowsAtOnce; start < rows.length; start += rowsAtOnce)
      await transact(
        [
          ...rows.slice(start, start + rowsAtOnce),
          listOf([...there, ...wanted.keys()]),
          checkAt(markerKey, marker.version),
        ],
        deadline,
      );
    await transact(
      [...rows.slice(0, rowsAtOnce), listOf(wanted.keys()), deleteIfVersion(markerKey, marker.version)],
      deadline,
    );
  } catch (error) {
    // Another change came first, and has a mark of its own.
    if (!(error instanceof VersionConflict)) throw error;
  }
}
