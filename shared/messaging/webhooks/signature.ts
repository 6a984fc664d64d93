import { createHmac } from 'node:crypto';
import type { Event } from '../../events/envelope.ts';

/** The id of a message. The id contains the account, because event ids are unique only within an account. */
export const messageIdOf = ({ accountId, id }: Pick<Event, 'accountId' | 'id'>): string =>
  `evt_${accountId}_${id}`;

const prefix = 'whsec_';

/**
 * Returns the headers of Standard Webhooks, with an HMAC-SHA-256 of id, timestamp and payload for each secret. The
 * timestamp is the time of the attempt, in seconds.
 *
 * github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedHeaders(
  payload: Uint8Array,
  secrets: readonly string[],
  id: string,
  now: Date,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(payload);
    return `v1,${hmac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
