import { listedAccounts } from '../../../shared/accounts/directory.ts';
import type { SentReason } from '../../../shared/channels/channel.ts';
import { messageChannels } from '../../../shared/channels/channels.ts';
import type { Event } from '../../../shared/events/envelope.ts';
import { findEvent } from '../../../shared/events/find-event.ts';
import type { AccountId } from '../../../shared/id/account-id.ts';
import type { UsersDigest } from '../../../shared/messaging/messages/digest-period.ts';
import type { OutgoingMessage } from '../../../shared/messaging/messages/hand-over.ts';
import { digestPartition, digestRowsOf, readDigestRowKey } from '../../../shared/messaging/messages/keys.ts';
import { explain } from '../../../shared/messaging/notification-explanations/explain.ts';
import { ownLogOf } from '../../../shared/people/users/rules.ts';
import { memberships, users } from '../../../shared/people/users/store.ts';
import { queryItems } from '../../../shared/table/read.ts';
import { type WorkQueue, workItemRange, workQueuePartition } from '../../../shared/work-queue/keys.ts';
import { type WorkItem, workItemIn } from '../../../shared/work-queue/work-item.ts';
import { kindText } from './kind-text.ts';
import type { ListedMessage } from './stored-messages.ts';

type Content = OutgoingMessage | UsersDigest;

/** In each account's work queue, the maximum number of items that are searched for a message, newest first. */
const mostSearched = 1_000;
/** The console shows at most this number of events of a digest, the newest ones. */
const mostEvents = 100;

interface EventSummary {
  id: number;
  kind: string;
  occurredAt: string;
  label?: string;
}

/** The reason for a message: an event with the deciding rules, or a digest. */
export interface MessageReason {
  account: AccountId;
  workItem: string;
  user?: string;
  attempts: WorkItem['attempts'];
  /** A notification of one event. `explanation` has the current rules and the outcome on each channel. */
  notification?: {
    reason: SentReason;
    event?: EventSummary;
    explanation?: Awaited<ReturnType<typeof explain>>;
  };
  digest?: { cadence: string; period: string; events: EventSummary[]; total: number };
}

/**
 * Returns the reason for a message. Finds the message's work item by its id, which the mailbox returned to the sender.
 * Returns undefined if the work item has expired or is not among the newest 1,000 of its work queue.
 */
export async function explainMessage(
  { kind, id, to }: Pick<ListedMessage, 'kind' | 'id' | 'to'>,
  now: Date,
): Promise<MessageReason | undefined> {
  const name = messageChannels.find(({ standIn }) => standIn.folder === kind)?.queue;
  if (!name) return undefined;
  for (const account of await listedAccounts()) {
    const workItem = await findBySentMessage({ account, name }, id, now);
    if (workItem) return reasonOf(account, workItem, now);
  }
  // Mail about a person's own password is in a work queue of the person.
  const person = await users.findByEmailAcrossAccounts(to);
  const own = person && (await findBySentMessage({ account: ownLogOf(person), name }, id, now));
  if (!own || 'digest' in own.content) return undefined;
  return reasonOf(own.content.account ?? ownLogOf(person), own, now);
}

async function findBySentMessage(
  workQueue: WorkQueue,
  messageId: string,
  now: Date,
): Promise<WorkItem<Content> | undefined> {
  const items = await queryItems({
    partition: workQueuePartition(workQueue),
    sortKey: workItemRange,
    newestFirst: true,
    limit: mostSearched,
  });
  return items
    .map((item) => workItemIn<Content>(item, now))
    .find((workItem) => workItem?.attempts.some((attempt) => attempt.messageId === messageId));
}

async function reasonOf(
  account: AccountId,
  { id, content, attempts }: WorkItem<Content>,
  now: Date,
): Promise<MessageReason> {
  const email = (await memberships.find(account, content.userId))?.email;
  const base = { account, workItem: id, ...(email !== undefined && { user: email }), attempts };
  if ('digest' in content) return { ...base, digest: await digestOf(account, content, now) };
  const event = await findEvent(account, content.eventId, now);
  const user = email === undefined ? undefined : await users.findByEmailAcrossAccounts(email);
  return {
    ...base,
    notification: {
      reason: content.reason,
      ...(event && { event: summaryOf(event) }),
      ...(event && user && { explanation: await explain(event, user, now) }),
    },
  };
}

async function digestOf(account: AccountId, { digest: cadence, period, userId }: UsersDigest, now: Date) {
  const partition = digestPartition({ account, cadence, period });
  const rows = await queryItems({ partition, sortKey: digestRowsOf(userId), newestFirst: true });
  const newest = rows
    .slice(0, mostEvents)
    .map(({ sk }) => findEvent(account, readDigestRowKey(sk).eventId, now));
  const events = (await Promise.all(newest)).filter((event) => event !== undefined);
  return { cadence, period, events: events.map(summaryOf), total: rows.length };
}

const summaryOf = ({ id, occurredAt, subject, ...event }: Event): EventSummary => ({
  id,
  kind: kindText(event),
  occurredAt,
  ...(subject.label !== undefined && { label: subject.label }),
});
