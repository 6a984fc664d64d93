import { messageChannels } from '../../../shared/channels/channels.ts';
import type { Event } from '../../../shared/events/envelope.ts';
import { auditedRecord } from '../../../shared/integrity/audit/audited-nouns.ts';
import { messageQueueOf } from '../../../shared/messaging/messages/hand-over.ts';
import { explain } from '../../../shared/messaging/notification-explanations/explain.ts';
import { type DeliveryContent, deliveryId } from '../../../shared/messaging/webhooks/delivery.ts';
import type { Delivery } from '../../../shared/messaging/webhooks/delivery-schema.ts';
import { showDelivery } from '../../../shared/messaging/webhooks/show-delivery.ts';
import { webhooks } from '../../../shared/messaging/webhooks/store.ts';
import type { Membership } from '../../../shared/people/users/schema.ts';
import { readAllMembers, users } from '../../../shared/people/users/store.ts';
import { auditKey } from '../../../shared/table/keys.ts';
import { getItem } from '../../../shared/table/read.ts';
import { webhookWorkQueue } from '../../../shared/work-queue/keys.ts';
import { findWorkItem } from '../../../shared/work-queue/list-work-items.ts';
import { type Attempt, workItemId } from '../../../shared/work-queue/work-item.ts';
import type { StoredMessage } from '../activity.ts';
import { redactedUrl } from './redact.ts';
import { sentRequest } from './sent-request.ts';

interface EventEffects {
  /** `none` if the subject has no audit log. */
  auditEntry: 'written' | 'missing' | 'none';
  recipients: Recipient[];
  /** The number of members whose notifications are not explained. */
  omittedMembers: number;
  deliveries: (Delivery & { url: string; request: ReturnType<typeof sentRequest> })[];
}

interface Recipient {
  email: string;
  /** Absent if the user was deleted. */
  explanation?: Awaited<ReturnType<typeof explain>>;
  messages: SentMessage[];
}

/** A message about the event. */
interface SentMessage {
  kind: StoredMessage['kind'];
  /** The name of the message, such as `text message`. */
  words: string;
  status: string;
  attempts: Attempt[];
  /** The stored message, if it was sent since the start of the service. */
  stored?: StoredMessage;
}

/** The maximum number of members whose notifications are explained. */
const mostMembers = 100;

/** Reads the effects of an event. `messageById` finds a message by the id that the mailbox returned. */
export async function eventEffects(
  event: Event,
  messageById: (id: string) => StoredMessage | undefined,
  now: Date,
): Promise<EventEffects> {
  const members = await readAllMembers(event.accountId);
  const [auditEntry, recipients, deliveries] = await Promise.all([
    auditEntryOf(event),
    Promise.all(members.slice(0, mostMembers).map((member) => recipientOf(event, member, messageById, now))),
    deliveriesOf(event, now),
  ]);
  const omittedMembers = Math.max(0, members.length - mostMembers);
  return { auditEntry, recipients, omittedMembers, deliveries };
}

async function auditEntryOf({ accountId, id, subject }: Event): Promise<EventEffects['auditEntry']> {
  const audited = auditedRecord(subject);
  if (!audited) return 'none';
  return (await getItem(auditKey(accountId, audited.noun, audited.id, id))) ? 'written' : 'missing';
}

async function recipientOf(
  event: Event,
  { id, email }: Pick<Membership, 'id' | 'email'>,
  messageById: (id: string) => StoredMessage | undefined,
  now: Date,
): Promise<Recipient> {
  const [user, ...workItems] = await Promise.all([
    users.findByEmailAcrossAccounts(email),
    ...messageChannels.map(({ queue }) =>
      findWorkItem(messageQueueOf(event, id, queue), workItemId(event.id, id), now),
    ),
  ]);
  const messages = messageChannels.flatMap(({ standIn, messages: { words } }, n): SentMessage[] => {
    const workItem = workItems[n];
    if (!workItem) return [];
    const { status, attempts } = workItem;
    const stored = attempts.map(({ messageId }) => messageById(String(messageId))).find((one) => one);
    return [{ kind: standIn.folder, words, status, attempts, ...(stored && { stored }) }];
  });
  return { email, ...(user && { explanation: await explain(event, user, now) }), messages };
}

async function deliveriesOf(event: Event, now: Date): Promise<EventEffects['deliveries']> {
  const { accountId, id } = event;
  const all = await webhooks.all(accountId);
  const found = all.map(async ({ webhook }) => {
    const workQueue = webhookWorkQueue(accountId, webhook.id);
    const workItem = await findWorkItem<DeliveryContent>(workQueue, deliveryId(id), now);
    if (!workItem) return [];
    const delivery = showDelivery(accountId, webhook.id, workItem);
    const request = sentRequest(event, webhook, delivery);
    return [{ ...delivery, url: redactedUrl(webhook.url), request }];
  });
  return (await Promise.all(found)).flat();
}
