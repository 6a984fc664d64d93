import { bodyDays } from '../events/log.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Place } from '../security/encrypted-value.ts';
import { mostBytes } from './schema.ts';

/** The two bodies of a request. */
export type BodyPart = 'request' | 'response';

/** A captured body as stored: encrypted for the capture key. */
export interface StoredBody {
  jwe: string;
  truncated: boolean;
}

/** The bodies of one request. */
export interface StoredBodies extends Partial<Record<BodyPart, StoredBody>> {
  id: number;
  /** The id of the capture key. */
  keyId: number;
  capturedAt: string;
}

/** The place to which a captured body is bound. */
export const bodyPlace = (account: AccountId, id: number, part: BodyPart): Place => ({
  account,
  record: `bodies:${id}`,
  field: part,
});

/** When a body that was captured at an instant expires. */
export const bodyExpiry = (capturedAt: string | Date): Date =>
  new Date(new Date(capturedAt).getTime() + bodyDays * 86_400_000);

/** Returns at most the first `mostBytes` bytes of a text. Does not split a character. */
export function firstBytes(text: string): { text: string; truncated: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= mostBytes) return { text, truncated: false };
  const decoder = new TextDecoder();
  return { text: decoder.decode(bytes.subarray(0, mostBytes), { stream: true }), truncated: true };
}
