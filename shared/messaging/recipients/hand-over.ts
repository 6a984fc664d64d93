import { accountKey } from '../../accounts/keys.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import type { Event } from '../../events/envelope.ts';
import { recordOf } from '../../table/item.ts';
import { getItem } from '../../table/read.ts';
import { enqueue } from '../../work-queue/enqueue.ts';
import type { WorkQueueName } from '../../work-queue/keys.ts';
import { keptUntil, workItemId } from '../../work-queue/work-item.ts';
import { addToInbox } from '../notifications/add-to-inbox.ts';
import type { NotificationText } from '../notifications/stored-notification.ts';
import type { SentReason } from './decide-recipients.ts';
import type { HandOver } from './fan-out.ts';
import { render } from './templates.ts';

/** The content of a work item in the work queues of mail and text messages. */
export interface OutgoingMessage {
  eventId: number;
  userId: number;
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

/** Adds a work item to the account's work queue of mail or text messages. Its id contains the ids of event and user. */
export const intoWorkQueue =
  (name: Extract<WorkQueueName, 'MAIL' | 'SMS'>): HandOver =>
  async ({ userId, email, reason }, event, run) => {
    const content: OutgoingMessage = { eventId: event.id, userId, email, reason };
    const id = workItemId(event.id, userId);
    await enqueue(
      { account: event.accountId, name },
      { id, due: new Date(event.occurredAt), content, expires: keptUntil(event) },
      run,
    );
  };

async function textOf(event: Event): Promise<NotificationText> {
  const item = await getItem(accountKey(event.accountId));
  return render(event, item ? recordOf<StoredAccount>(item) : {});
}
