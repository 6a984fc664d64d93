import { randomBytes } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import type { Place } from '../../security/sealed-value.ts';
import type { StoredSecret, StoredWebhook } from './schema.ts';

/** After a rotation the secret before signs for so long, in milliseconds. */
const overlap = 24 * 3600 * 1000;

type Sealing = Pick<StoredWebhook, 'accountId' | 'id'>;

/** A new secret as Standard Webhooks writes it: `whsec_` and the base64 of 32 random bytes. */
export const mintWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const placeOf = ({ accountId, id }: Sealing, number: number): Place => ({
  account: accountId,
  record: `webhook:${id}`,
  field: `secrets[${number}]`,
});

/** A secret sealed for its webhook and number. */
export const sealSecret = async (
  webhook: Sealing,
  number: number,
  secret: string,
  keys: DataKeys,
): Promise<StoredSecret> => ({ number, jwe: await keys.seal(placeOf(webhook, number), secret) });

/** The stored secrets that sign at an instant, the newest first. */
export const signingAt = (secrets: readonly StoredSecret[], now: Date): StoredSecret[] =>
  secrets.filter(({ until }) => until === undefined || until > now.toISOString());

/** The secrets in clear that sign for a webhook at an instant. Throws `busy` where KMS is. */
export const secretsOf = (webhook: Sealing & Pick<StoredWebhook, 'secrets'>, keys: DataKeys, now: Date) =>
  Promise.all(
    signingAt(webhook.secrets, now).map(({ number, jwe }) => keys.open(placeOf(webhook, number), jwe)),
  );

/**
 * The secrets of a webhook with a new one at the front. The one before signs for another 24 hours, or not at all with
 * `expireNow`. Throws `secrets_overlap` where two sign already and none is to end at once.
 */
export function rotated(
  before: readonly StoredSecret[],
  next: StoredSecret,
  { now, expireNow }: { now: Date; expireNow: boolean },
): StoredSecret[] {
  if (expireNow) return [next];
  const signing = signingAt(before, now);
  if (signing.length > 1) throw new ApiError('secrets_overlap');
  const until = new Date(now.getTime() + overlap).toISOString();
  return [next, ...signing.map((secret) => ({ ...secret, until }))];
}

/** The number of the next secret. */
export const nextNumber = (secrets: readonly StoredSecret[]): number =>
  Math.max(0, ...secrets.map(({ number }) => number)) + 1;
