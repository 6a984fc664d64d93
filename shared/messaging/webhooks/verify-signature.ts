import { timingSafeEqual } from 'node:crypto';
import { signedHeaders } from './signature.ts';

/** The largest difference between the timestamp of a message and the clock, in milliseconds (Standard Webhooks). */
const tolerance = 5 * 60_000;

/**
 * Verifies a signed message (Standard Webhooks), which must be signed with one of the secrets at most five minutes ago.
 * Returns its id, or undefined if it is not valid.
 */
export function verifiedMessageId(
  payload: Uint8Array,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  secrets: readonly string[],
  now: Date,
): string | undefined {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    return undefined;
  if (!/^[\x21-\x7e]{1,100}$/.test(id) || !/^\d{1,12}$/.test(timestamp)) return undefined;
  const signedAt = new Date(Number(timestamp) * 1000);
  if (Math.abs(signedAt.getTime() - now.getTime()) > tolerance) return undefined;
  const expected = signedHeaders(payload, secrets, id, signedAt)['webhook-signature'].split(' ');
  const isValid = signatures.split(' ').some((sent) => expected.some((valid) => isEqual(sent, valid)));
  return isValid ? id : undefined;
}

const isEqual = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
};
