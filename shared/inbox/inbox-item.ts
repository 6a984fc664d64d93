import { asSeconds, type Item } from '../table/item.ts';
import { type InboxOwner, inboxKey } from '../table/keys.ts';
import type { TransactItem } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import { updateItem } from '../table/update.ts';
import {
  dayOfArrival,
  expiredDaysAt,
  forgottenAt,
  type InboxState,
  keptDaysAt,
  unreadCount,
} from './rules.ts';

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
    allReadUpTo: Number(item?.allReadUpTo ?? 0),
    filedUpTo: Number(item?.filedUpTo ?? 0),
    unread: new Map(counts),
  };
}

interface Counted {
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
  { position, filedAt, amount }: Counted,
  seen: Pick<InboxState, 'filedUpTo'>,
  now: Date,
): TransactItem {
  const count = countOf(dayOfArrival(position));
  const values = { ':amount': amount, ':filedAt': filedAt };
  const added = `ADD ${count} :amount`;
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
 * Marks everything in an inbox read by one write, whatever its size, and returns how many were unread. What arrives at the
 * same time is filed before this write, and counted, or behind it, and unread.
 */
export async function markAllRead(owner: InboxOwner, now: Date): Promise<number> {
  const before = await updateItem(inboxKey(owner), {
    UpdateExpression: `SET allReadUpTo = if_not_exists(filedUpTo, :none)${forgetting(keptDaysAt(now))}`,
    ExpressionAttributeValues: { ':none': 0 },
  });
  return unreadCount(inboxStateOf(before), now);
}

/** How many notifications of an inbox are unread. */
export const unreadIn = async (owner: InboxOwner, now: Date): Promise<number> =>
  unreadCount(inboxStateOf(await getItem(inboxKey(owner))), now);
