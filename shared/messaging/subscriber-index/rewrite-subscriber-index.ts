import type { AccountId } from '../../id/account-id.ts';
import { subscriberKey, subscriberPartition } from '../../people/users/keys.ts';
import type { SubscriberIndexMarker } from '../../people/users/mark-subscriber-index.ts';
import { type OwnRule, ownRules } from '../../people/users/own-rules.ts';
import { users } from '../../people/users/store.ts';
import type { EventKind } from '../../resources/registry.ts';
import { recordOf } from '../../table/item.ts';
import { checkAt, deleteIfVersion, deleteItem, putItem } from '../../table/operations.ts';
import { getItem, queryItems } from '../../table/read.ts';
import { transact, VersionConflict } from '../../table/transact.ts';

/** A transaction has at most 100 operations; two of them write the list of rows and the marker. */
const rowsAtOnce = 98;
const concurrency = 10;

/**
 * Rewrites the rows of every marked user, and removes the markers. If the rows of a user cannot be written, the user
 * stays marked, and the other users are processed. Finally throws the first error. Stops and returns false after
 * `deadline` (milliseconds since 1970).
 */
export async function rewriteSubscriberIndex(account: AccountId, deadline: number): Promise<boolean> {
  const items = await queryItems({ partition: subscriberPartition(account, 'CHANGED') });
  const markers = items.map((item) => recordOf<SubscriberIndexMarker>(item));
  const errors: unknown[] = [];
  for (let start = 0; start < markers.length; start += concurrency) {
    if (Date.now() >= deadline) return false;
    const batch = markers
      .slice(start, start + concurrency)
      .map((one) => rewriteUserRows(account, one, deadline));
    for (const result of await Promise.allSettled(batch))
      if (result.status === 'rejected') errors.push(result.reason);
  }
  if (errors.length > 0) throw errors[0];
  return true;
}

/**
 * Writes the rows of a user from the user's record. Each transaction fails if the marker has changed since it was read,
 * so that no outdated row is written. The last transaction removes the marker.
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
  const existing = new Set((list?.kinds ?? []) as EventKind[]);
  const removed = [...existing].filter((kind) => !wanted.has(kind));
  const rows = [
    ...[...wanted].map(([kind, rule]) => putItem({ ...subscriberKey(account, kind, marker.id), ...rule })),
    ...removed.map((kind) => deleteItem(subscriberKey(account, kind, marker.id))),
  ];
  const listOf = (kinds: Iterable<EventKind>) => {
    const all = [...new Set(kinds)];
    return all.length > 0
      ? putItem({ ...listKey, type: 'subscriber-rows', kinds: all })
      : deleteItem(listKey);
  };
  try {
    // The list of rows must contain every existing row after each transaction: a row that is not in the list
    // would never be deleted.
    for (let start = rowsAtOnce; start < rows.length; start += rowsAtOnce)
      await transact(
        [
          ...rows.slice(start, start + rowsAtOnce),
          listOf([...existing, ...wanted.keys()]),
          checkAt(markerKey, marker.version),
        ],
        deadline,
      );
    await transact(
      [...rows.slice(0, rowsAtOnce), listOf(wanted.keys()), deleteIfVersion(markerKey, marker.version)],
      deadline,
    );
  } catch (error) {
    // If the user changed again, the next job processes the newer marker.
    if (!(error instanceof VersionConflict)) throw error;
  }
}
