import { asSeconds, type Item } from '../../table/item.ts';
import type { TransactItem, Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { type InboxOwner, inboxKey } from './keys.ts';
import { dayOfArrival, expiredDaysAt, forgottenAt, type InboxState, unreadCount } from './rules.ts';

/** The attribute that counts the unread of a day. A short name: an arrival writes the whole item. */
const countOf = (arrival: number): string => `u${arrival}`;

/** The clause of an update that forgets the counts of days. */
const forgetting = (days: readonly number[]): string =>
  days.length === 0 ? '' : ` REMOVE ${days.map(countOf).join(', ')}`;

/** What an inbox item says; an inbox that has none is empty. */
export function inboxStateOf(item: Item | undefined): InboxState {
  const counts = Object.entries(item ?? {}).flatMap(([name, value]) => {
    const [, arrival] = /^u(\d+)$/.exec(name) ?? [];
    return arrival === undefined ? [] : [[Number(arrival), Number(value)] as const];
  });
  return {
    changes: Number(item?.changes ?? 0),
    allReadUpTo: Number(item?.allReadUpTo ?? 0),
    filedUpTo: Number(item?.filedUpTo ?? 0),
    unread: new Map(counts),
  };
}

interface InboxCounts {
  /** When it arrived. */
  position: number;
  /** Under what it is filed as unread, before or after. */
  filedAt: number;
  amount: 1 | -1;
}

/**
 * Counts one more unread, or one less. Fails as a conflict where all was marked read past the place meanwhile, so that
 * nothing is counted that is read. What is filed higher than everything before, as `seen` knows it, moves `filedUpTo` on: up
 * to there the next mark of all reads.
 */
export function countUnread(
  owner: InboxOwner,
  { position, filedAt, amount }: InboxCounts,
  seen: Pick<InboxState, 'filedUpTo'>,
  now: Date,
): TransactItem {
  const count = countOf(dayOfArrival(position));
  const values = { ':amount': amount, ':one': 1, ':filedAt': filedAt };
  const added = `ADD ${count} :amount, changes :one`;
  const update =
    filedAt > seen.filedUpTo
      ? {
          UpdateExpression: `${added} SET filedUpTo = :filedAt, expiresAtSeconds = :forgotten, #type = :type${forgetting(expiredDaysAt(now))}`,
          ConditionExpression: 'attribute_not_exists(filedUpTo) OR filedUpTo < :filedAt',
          ExpressionAttributeNames: { '#type': 'type' },
          ExpressionAttributeValues: {
            ...values,
            ':forgotten': asSeconds(forgottenAt(dayOfArrival(filedAt))),
            ':type': 'inbox',
          },
        }
      : {
          UpdateExpression: added,
          ConditionExpression:
            'filedUpTo >= :filedAt AND (attribute_not_exists(allReadUpTo) OR allReadUpTo < :filedAt)',
          ExpressionAttributeValues: values,
        };
  return { operation: { Update: { Key: inboxKey(owner), ...update } }, otherwise: 'conflict' };
}

/**
 * Marks everything in an inbox read by one write, whatever its size, with the number of notifications that were unread. The
 * write is a conflict if the inbox has changed since it was read, so that the number is exact.
 */
export function markedAll(
  owner: InboxOwner,
  { changes, filedUpTo, unread }: InboxState,
  now: Date,
): { markedCount: number; writes: Write[] } {
  const markedCount = unreadCount({ unread }, now);
  if (markedCount === 0) return { markedCount, writes: [] };
  const update = {
    UpdateExpression: `SET allReadUpTo = :filedUpTo ADD changes :one${forgetting([...unread.keys()])}`,
    ConditionExpression: changes === 0 ? 'attribute_not_exists(changes)' : 'changes = :changes',
    ExpressionAttributeValues: {
      ':filedUpTo': filedUpTo,
      ':one': 1,
      ...(changes > 0 && { ':changes': changes }),
    },
  };
  return {
    markedCount,
    writes: [{ operation: { Update: { Key: inboxKey(owner), ...update } }, otherwise: 'conflict' }],
  };
}

/** The state of an inbox. */
export const readInbox = async (owner: InboxOwner): Promise<InboxState> =>
  inboxStateOf(await getItem(inboxKey(owner)));
