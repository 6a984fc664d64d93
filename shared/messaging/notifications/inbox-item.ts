import { asSeconds, type Item } from '../../table/item.ts';
import type { TransactItem, Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { type InboxOwner, inboxKey } from './keys.ts';
import { dayOfArrival, expiredDaysAt, type InboxState, inboxExpiry, unreadCount } from './rules.ts';

/** The attribute that counts the unread notifications of a day. Its name is short to keep the item small. */
const countOf = (arrival: number): string => `u${arrival}`;

const removing = (days: readonly number[]): string =>
  days.length === 0 ? '' : ` REMOVE ${days.map(countOf).join(', ')}`;

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
  position: number;
  /**
   * A position in the unread list: the old position of a notification that is being marked read, otherwise
   * the new position.
   */
  filedAt: number;
  amount: 1 | -1;
}

/**
 * Changes the number of unread notifications by one. The write conflicts if "mark all read" has marked this position as
 * read in the meantime, because the position is then no longer counted. If the position is above `known.filedUpTo`,
 * raises `filedUpTo`, so that the next "mark all read" includes the position.
 */
export function countUnread(
  owner: InboxOwner,
  { position, filedAt, amount }: InboxCounts,
  known: Pick<InboxState, 'filedUpTo'>,
  now: Date,
): TransactItem {
  const count = countOf(dayOfArrival(position));
  const values = { ':amount': amount, ':one': 1, ':filedAt': filedAt };
  const added = `ADD ${count} :amount, changes :one`;
  const update =
    filedAt > known.filedUpTo
      ? {
          UpdateExpression: `${added} SET filedUpTo = :filedAt, expiresAtSeconds = :expires, #type = :type${removing(expiredDaysAt(now))}`,
          ConditionExpression: 'attribute_not_exists(filedUpTo) OR filedUpTo < :filedAt',
          ExpressionAttributeNames: { '#type': 'type' },
          ExpressionAttributeValues: {
            ...values,
            ':expires': asSeconds(inboxExpiry(dayOfArrival(filedAt))),
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
 * Marks all notifications of an inbox as read with one write, and returns how many were unread. The write conflicts if
 * the inbox changed since it was read, so that the number is exact.
 */
export function markAll(
  owner: InboxOwner,
  { changes, filedUpTo, unread }: InboxState,
  now: Date,
): { markedCount: number; writes: Write[] } {
  const markedCount = unreadCount({ unread }, now);
  if (markedCount === 0) return { markedCount, writes: [] };
  const update = {
    UpdateExpression: `SET allReadUpTo = :filedUpTo ADD changes :one${removing([...unread.keys()])}`,
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

export const readInbox = async (owner: InboxOwner): Promise<InboxState> =>
  inboxStateOf(await getItem(inboxKey(owner)));
