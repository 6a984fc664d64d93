import type { AccountId } from '../../id/account-id.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';

/** The owner of notifications: each account keeps an inbox for each of its users. */
export interface InboxOwner {
  account: AccountId;
  userId: number;
}

const inInbox = ({ account, userId }: InboxOwner, sk: string): Key => ({
  pk: tenantPartition(account, 'INBOX', digits(userId)),
  sk,
});

/** The counters of an inbox, and the position up to which all of it is read. */
export const inboxKey = (owner: InboxOwner): Key => inInbox(owner, 'INBOX');

/** Marks that an event has arrived in an inbox, and names the place of its notification. */
export const arrivalKey = (owner: InboxOwner, eventId: number): Key =>
  inInbox(owner, `EVENT#${digits(eventId)}`);

/** The place of a notification: among those that were marked read one by one, or filed as unread at a position. */
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

/** The sort keys of notifications that were filed as unread after a position. */
export const filedAfter = (position: number) => ({ from: `UNREAD#${digits(position + 1)}`, to: 'UNREAD#~' });

/** The sort keys of notifications that were filed as unread up to a position. */
export const filedUpTo = (position: number) => ({ from: 'UNREAD#', to: `UNREAD#${digits(position)}#~` });

/** The sort keys of notifications that were marked read one by one. */
export const markedReadRange = { from: 'READ#', to: 'READ#~' } as const;
