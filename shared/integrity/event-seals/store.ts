import { busy } from '../../errors.ts';
import { eventPartition, eventRange } from '../../events/keys.ts';
import { eventExpiry, monthOf } from '../../events/log.ts';
import { commit } from '../../events/outbox.ts';
import type { AccountId } from '../../id/account-id.ts';
import { firstIdAt } from '../../id/mint.ts';
import { putAll } from '../../table/batch-write.ts';
import { asSeconds, type Item, recordOf } from '../../table/item.ts';
import { queryList } from '../../table/list-query.ts';
import { putIfAbsent, putIfVersion } from '../../table/operations.ts';
import {
  type Bounds,
  getItem,
  getItems,
  type QueryResult,
  queryItems,
  queryWithin,
} from '../../table/read.ts';
import { sealHeadKey, sealKey, sealLeavesKey, sealPartition, sealRange, sealsAfter } from './keys.ts';
import { type Leaf, packLeaves, type StoredSeal, sealHashOf, unpackLeaves } from './seal.ts';

/** The newest seal of an account. `version` is its number. */
export interface SealHead {
  version: number;
  to: string;
  /** Hexadecimal. */
  hash: string;
}

/** The start of the first seal. Every event id was created later. */
export const beginning = '2025-01-01T00:00:00.000Z';

export async function readSealHead(account: AccountId): Promise<SealHead | undefined> {
  const item = await getItem(sealHeadKey(account));
  return item && recordOf<SealHead>(item);
}

/**
 * Returns items of the event log, sorted by id. Includes only ids greater than `after` that were created at
 * or after `from` and before `to`.
 */
export async function eventsWithin(
  account: AccountId,
  { from, to, after = 0 }: { from: string; to: string; after?: number },
  limit?: number,
): Promise<Item[]> {
  const first = Math.max(firstIdAt(new Date(from)), after + 1);
  const last = firstIdAt(new Date(to)) - 1;
  if (first > last) return [];
  return queryItems({ partition: eventPartition(account), sortKey: eventRange(first, last), limit });
}

/**
 * Stores the leaves of a seal. Must have ended before `appendSeal` is called. The leaves expire with the seal's events.
 * Throws `busy`.
 */
export async function keepLeaves(
  account: AccountId,
  { root, to }: Pick<StoredSeal, 'root' | 'to'>,
  leaves: readonly Leaf[],
): Promise<void> {
  const left = await putAll([
    {
      ...sealLeavesKey(account, root),
      type: 'seal-leaves',
      leaves: packLeaves(leaves),
      expiresAtSeconds: asSeconds(leavesExpire(to)),
    },
  ]);
  if (left.length > 0) throw busy();
}

/** The expiry of a seal's leaves. They expire together with the last events in the seal. */
export const leavesExpire = (to: string): Date => eventExpiry(monthOf(to));

const leavesIn = (item: Item | undefined): Leaf[] | undefined =>
  typeof item?.leaves === 'string' ? unpackLeaves(item.leaves) : undefined;

/** The leaves of each seal; undefined if they have expired or are missing. */
export const readLeaves = async (
  account: AccountId,
  seals: readonly Pick<StoredSeal, 'root'>[],
): Promise<(Leaf[] | undefined)[]> =>
  (await getItems(seals.map(({ root }) => sealLeavesKey(account, root)))).map(leavesIn);

/** Appends a seal to the seals of its account. Throws VersionConflict if another worker wrote a seal first. */
export function appendSeal(seal: StoredSeal, before: SealHead | undefined, deadline: number): Promise<void> {
  const { accountId, number, to } = seal;
  const head = { ...sealHeadKey(accountId), type: 'seal-head', version: number, to, hash: sealHashOf(seal) };
  const writes = [
    putIfAbsent({ ...sealKey(accountId, to), type: 'seal', ...seal }),
    before ? putIfVersion(head, before.version) : putIfAbsent(head),
  ];
  return commit({ writes, events: [], deadline });
}

/** The seals of an account, newest first. */
export function newestSeals(account: AccountId, bounds: Bounds): Promise<QueryResult<StoredSeal>> {
  const query = { partition: sealPartition(account), sortKey: sealRange };
  return queryList(queryWithin, query, bounds, recordOf<StoredSeal>);
}

/** The seals of an account, oldest first. */
export const allSeals = async (account: AccountId): Promise<StoredSeal[]> =>
  (await newestSeals(account, {})).items.reverse();

/** The seal that covers an instant, or undefined. */
export async function sealAt(account: AccountId, instant: Date): Promise<StoredSeal | undefined> {
  const sortKey = sealsAfter(instant.toISOString());
  const [item] = await queryItems({ partition: sealPartition(account), sortKey, limit: 1 });
  return item && recordOf<StoredSeal>(item);
}
