import { createHash } from 'node:crypto';
import type { Event } from '../../../shared/events/envelope.ts';
import type { Delivery } from '../../../shared/messaging/webhooks/delivery-schema.ts';
import { payloadOf } from '../../../shared/messaging/webhooks/payload.ts';
import type { StoredWebhook } from '../../../shared/messaging/webhooks/schema.ts';
import { messageIdOf, signedHeaders } from '../../../shared/messaging/webhooks/signature.ts';
import { redactedJson } from './redact.ts';

/** The request of the last attempt of a delivery. Its body is not stored, so the body is built again from the event. */
interface SentRequest {
  /** The headers except the signature, which is not stored. */
  headers: Record<string, string>;
  /** JSON without secret values. */
  body: string;
  /** False if the sent body differed from the built body, for example because the payload format has changed. */
  sameBody: boolean;
}

/** Returns undefined before the first attempt. */
export function sentRequest(
  event: Event,
  webhook: StoredWebhook,
  { attempts, sha256 }: Pick<Delivery, 'attempts' | 'sha256'>,
): SentRequest | undefined {
  const last = attempts.at(-1);
  if (!last) return undefined;
  const body = payloadOf(event, webhook);
  const { 'webhook-signature': _, ...headers } = signedHeaders(
    body,
    [],
    messageIdOf(event),
    new Date(last.at),
  );
  const sameBody = createHash('sha256').update(body).digest('hex') === sha256;
  return { headers, body: redactedJson(body.toString()), sameBody };
}
