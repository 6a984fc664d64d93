import { accountKey } from '../../accounts/keys.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import type { NotificationText, SentReason } from '../../channels/channel.ts';
import type { MessageQueueName } from '../../channels/channels.ts';
import { channelNames, channelTerms } from '../../channels/terms.ts';
import type { Event } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { ownLogOf } from '../../people/users/rules.ts';
import { recordOf } from '../../table/item.ts';
import { getItem } from '../../table/read.ts';
import { enqueue } from '../../work-queue/enqueue.ts';
import { keptUntil, workItemId } from '../../work-queue/work-item.ts';
import { addToInbox } from '../notifications/add-to-inbox.ts';
import type { FanOut, HandOver } from '../recipients/fan-out.ts';
import { isByPerson, userConcernedBy } from '../recipients/service-rules.ts';
import { render } from '../recipients/templates.ts';
import { addToDigest } from './add-to-digest.ts';
import type { Cadence } from './digest-period.ts';
import { readSender } from './read-sender.ts';

/** The content of a work item in a work queue of messages. */
export interface OutgoingMessage {
  eventId: number;
  userId: number;
  /** The account of the event, if the work queue belongs to the person. */
  account?: AccountId;
  /** The recipient's email, if known when the item was enqueued. */
  email?: string;
  reason: SentReason;
}

/** Returns one function for each notification channel. Each function passes the event to one recipient. */
export const channelsOf = (event: Event): FanOut['channels'] =>
  Object.fromEntries(
    channelNames.map((name) => {
      const { digest, queue } = channelTerms[name];
      return [name, digest ? intoDigest(digest) : queue ? intoWorkQueue(queue) : intoInbox(event)];
    }),
  ) as FanOut['channels'];

/** Adds the notification of an event to inboxes. The text is rendered once for all recipients. */
function intoInbox(event: Event): HandOver {
  let text: Promise<NotificationText> | undefined;
  return async ({ userId }, { accountId: account }, run) => {
    text ??= textOf(event);
    await addToInbox({ account, userId, event, text: await text }, run);
  };
}

async function textOf(event: Event): Promise<NotificationText> {
  const item = await getItem(accountKey(event.accountId));
  return render(event, item ? recordOf<StoredAccount>(item) : {});
}

/** Adds an event to the digests of its recipients. Reads the account's zone once for all recipients. */
function intoDigest(cadence: Cadence): HandOver {
  let timezone: Promise<string> | undefined;
  return async ({ userId }, { accountId: account, id: eventId }, run) => {
    timezone ??= readSender(account).then((sender) => sender.timezone);
    await addToDigest({ account, cadence, timezone: await timezone, userId, eventIds: [eventId] }, run);
  };
}

/** Adds a work item to a work queue of messages. Its id contains the ids of event and user. */
const intoWorkQueue =
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

/**
 * Returns the work queue of an event's message to a user. A message about the person's own password has a work queue of the
 * person: the work queues of a closed account wait, but the person may have other accounts.
 */
export const messageQueueOf = (event: Event, userId: number, name: MessageQueueName) => ({
  account:
    isByPerson(event) && userConcernedBy(event) === userId ? ownLogOf({ id: userId }) : event.accountId,
  name,
});
