import { accountKey } from '../../accounts/keys.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import type { Event } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { ownLogOf } from '../../people/users/rules.ts';
import { isTombstone, recordOf } from '../../table/item.ts';
import { getItem } from '../../table/read.ts';
import { enqueue } from '../../work-queue/enqueue.ts';
import type { WorkQueueName } from '../../work-queue/keys.ts';
import { keptUntil, workItemId } from '../../work-queue/work-item.ts';
import { addToInbox } from '../notifications/add-to-inbox.ts';
import type { NotificationText } from '../notifications/stored-notification.ts';
import type { SentReason } from './decide-recipients.ts';
import type { HandOver } from './fan-out.ts';
import { isByPerson } from './service-rules.ts';
import { render } from './templates.ts';

/** The content of a work item in the work queues of mail and text messages. */
export interface OutgoingMessage {
  eventId: number;
  userId: number;
  /** The account of the event, if the work queue belongs to the person. */
  account?: AccountId;
  /** The recipient's address, if known when the item was enqueued. */
  email?: string;
  reason: SentReason;
}

/** Adds the notification of an event to inboxes. The text is rendered once for all recipients. */
export function intoInbox(event: Event): HandOver {
  let text: Promise<NotificationText> | undefined;
  return async ({ userId }, { accountId: account }, run) => {
    text ??= textOf(event);
    await addToInbox({ account, userId, event, text: await text }, run);
  };
}

/**
 * Adds a work item to the account's work queue of mail or text messages. Its id contains the ids of event and user. A mail
 * about the person's own password is added to a work queue of the person if the account is closed: the work queues of a
 * closed account wait, but the person may have other accounts.
 */
export const intoWorkQueue =
  (name: Extract<WorkQueueName, 'MAIL' | 'SMS'>): HandOver =>
  async ({ userId, email, reason }, event, run) => {
    const account =
      reason === 'user_concerned' && isByPerson(event) && !(await isServed(event.accountId))
        ? ownLogOf({ id: userId })
        : event.accountId;
    const from = account === event.accountId ? {} : { account: event.accountId };
    const content: OutgoingMessage = { eventId: event.id, userId, email, reason, ...from };
    const id = workItemId(event.id, userId);
    await enqueue(
      { account, name },
      { id, due: new Date(event.occurredAt), content, expires: keptUntil(event) },
      run,
    );
  };

async function isServed(account: AccountId): Promise<boolean> {
  const item = await getItem(accountKey(account));
  return item !== undefined && !isTombstone(item) && recordOf<StoredAccount>(item).closedAt === undefined;
}

async function textOf(event: Event): Promise<NotificationText> {
  const item = await getItem(accountKey(event.accountId));
  return render(event, item ? recordOf<StoredAccount>(item) : {});
}
