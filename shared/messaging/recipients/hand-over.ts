import { accountKey } from '../../accounts/keys.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import type { Event } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { ownLogOf } from '../../people/users/rules.ts';
import { recordOf } from '../../table/item.ts';
import { getItem } from '../../table/read.ts';
import { enqueue } from '../../work-queue/enqueue.ts';
import type { WorkQueueName } from '../../work-queue/keys.ts';
import { keptUntil, workItemId } from '../../work-queue/work-item.ts';
import { addToInbox } from '../notifications/add-to-inbox.ts';
import type { NotificationText } from '../notifications/stored-notification.ts';
import type { SentReason } from './decide-recipients.ts';
import type { HandOver } from './fan-out.ts';
import { isByPerson, userConcernedBy } from './service-rules.ts';
import { render } from './templates.ts';

type MessageQueueName = Extract<WorkQueueName, 'MAIL' | 'SMS'>;

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
 * Returns the work queue of an event's message to a user. A message about the person's own password has a work queue of the
 * person: the work queues of a closed account wait, but the person may have other accounts.
 */
export const messageQueueOf = <N extends MessageQueueName>(event: Event, userId: number, name: N) => ({
  account:
    isByPerson(event) && userConcernedBy(event) === userId ? ownLogOf({ id: userId }) : event.accountId,
  name,
});

/** Adds a work item to a work queue of mail or text messages. Its id contains the ids of event and user. */
export const intoWorkQueue =
  (name: MessageQueueName): HandOver =>
  async ({ userId, email, reason }, event, run) => {
    const workQueue = messageQueueOf(event, userId, name);
    const from = workQueue.account === event.accountId ? {} : { account: event.accountId };
    const content: OutgoingMessage = { eventId: event.id, userId, email, reason, ...from };
    const id = workItemId(event.id, userId);
    await enqueue(
      workQueue,
      { id, due: new Date(event.occurredAt), content, expires: keptUntil(event) },
      run,
    );
  };

async function textOf(event: Event): Promise<NotificationText> {
  const item = await getItem(accountKey(event.accountId));
  return render(event, item ? recordOf<StoredAccount>(item) : {});
}
