import type { AccountId } from '../../id/account-id.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';

/** The owner of an inbox. A user has an inbox in each of their accounts. */
export interface InboxOwner {
  account: AccountId;
  userId: number;
}

const inInbox = ({ account, userId }: InboxOwner, sk: string): Key => ({
  pk: tenantPartition(account, 'INBOX', digits(userId)),
  sk,
});

/** The key of the item that contains the counters of an inbox and the position up to which everything is read. */
export const inboxKey = (owner: InboxOwner): Key => inInbox(owner, 'INBOX');

/** The key of the item that records the arrival of an event in an inbox and the position of its notification. */
export const arrivalKey = (owner: InboxOwner, eventId: number): Key =>
  inInbox(owner, `EVENT#${digits(eventId)}`);

/**
 * The key of a notification. With `filedAt`, the key is at this position in the unread list. Without
 * `filedAt`, it is in the range of notifications that were marked read one by one.
 */
export const notificationKey = (
  owner: InboxOwner,
  { id, position, filedAt }: { id: number; position: number; filedAt?: number },
): Key =>
  inInbox(
    owner,
    (filedAt === undefined ? ['READ', position, id] : ['UNREAD', filedAt, position, id])
      .map((part) => (typeof part === 'number' ? digits(part) : part))
      .join('#'),
  );

export const filedAfter = (position: number) => ({ from: `UNREAD#${digits(position + 1)}`, to: 'UNREAD#~' });

export const filedUpTo = (position: number) => ({ from: 'UNREAD#', to: `UNREAD#${digits(position)}#~` });

export const markedReadRange = { from: 'READ#', to: 'READ#~' } as const;
