import { Webhook } from 'standardwebhooks';
import type { webhooks } from './api.d.ts';

/** A delivery that must be rejected. The message is the reason. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

type Body<K extends keyof webhooks> = webhooks[K]['post'] extends {
  requestBody?: { content: { 'application/json': infer Content } };
}
  ? Content
  : never;

/** The body of a delivery, by event kind. */
export type WebhookPayloads = { [K in keyof webhooks]: Body<K> };

/** The body of any delivery. Its `type` is the event kind. */
export type WebhookPayload = WebhookPayloads[keyof WebhookPayloads];

/**
 * Verifies the signature of a delivery and returns its body. `body` must be the received bytes or text, not parsed
 * JSON. `secret` starts with `whsec_`. Throws WebhookVerificationError if a header is missing, the signature is wrong,
 * the timestamp differs from the current time by more than five minutes, or the body is not JSON.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>,
  secret: string,
): WebhookPayload {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const entries = headers instanceof Headers ? headers.entries() : Object.entries(headers);
  const signed = [...entries].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  let payload: unknown;
  try {
    payload = new Webhook(secret).verify(text, Object.fromEntries(signed));
  } catch (error) {
    throw new WebhookVerificationError(error instanceof Error ? error.message : String(error));
  }
  return payload as WebhookPayload;
}
