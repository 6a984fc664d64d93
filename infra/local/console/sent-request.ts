import { createHash } from 'node:crypto';
import { findEvent } from '../../../shared/events/find-event.ts';
import type { AccountId } from '../../../shared/id/account-id.ts';
import {
  type DeliveryAttempt,
  type DeliveryContent,
  deliveryId,
} from '../../../shared/messaging/webhooks/delivery.ts';
import { payloadOf } from '../../../shared/messaging/webhooks/payload.ts';
import { messageIdOf, signedHeaders } from '../../../shared/messaging/webhooks/signature.ts';
import { webhooks } from '../../../shared/messaging/webhooks/store.ts';
import { webhookWorkQueue } from '../../../shared/work-queue/keys.ts';
import { findWorkItem } from '../../../shared/work-queue/list-work-items.ts';

/** The request of a delivery. Its body is not stored, so the body is built again from the event. */
interface SentRequest {
  url: string;
  body: string;
  /** For each attempt: its headers except the signature, which is not stored. */
  attempts: {
    number: number;
    headers: Record<string, string>;
    /**
     * False if the hashes of the sent body and of `body` differ, for example if the payload format has
     * changed.
     */
    sameBody: boolean;
  }[];
}

/** Returns undefined if the webhook, the delivery or its event does not exist. */
export async function sentRequest(
  account: AccountId,
  webhookId: number,
  eventId: number,
  now: Date,
): Promise<SentRequest | undefined> {
  const [webhook, delivery, event] = await Promise.all([
    webhooks.find(account, webhookId),
    findWorkItem<DeliveryContent>(webhookWorkQueue(account, webhookId), deliveryId(eventId), now),
    findEvent(account, eventId, now),
  ]);
  if (!webhook || !delivery || !event) return undefined;
  const body = payloadOf(event, webhook);
  const hash = createHash('sha256').update(body).digest('hex');
  return {
    url: webhook.url,
    body: body.toString(),
    attempts: delivery.attempts.map(({ number, at, ...details }) => {
      const { 'webhook-signature': _, ...headers } = signedHeaders(
        body,
        [],
        messageIdOf(event),
        new Date(at),
      );
      return { number, headers, sameBody: (details as Partial<DeliveryAttempt>).sha256 === hash };
    }),
  };
}
