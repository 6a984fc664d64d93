import { randomBytes } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import type { Place } from '../../security/encrypted-value.ts';
import type { StoredSecret, StoredWebhook } from './schema.ts';

/** How long the previous secret stays valid after a rotation, in milliseconds. */
const overlap = 24 * 3600 * 1000;

interface RotationRequest {
  now: Date;
  body: { expireNow?: boolean };
  dataKeys(): Promise<DataKeys>;
}

type WebhookId = Pick<StoredWebhook, 'accountId' | 'id'>;

/** A webhook, a connection or a payment provider, with its secrets. */
export type SecretHolder = WebhookId & Pick<StoredWebhook, 'secrets'>;

/** Creates a secret in the format of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export const mintWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const placeOf = ({ accountId, id }: WebhookId, number: number): Place => ({
  account: accountId,
  record: `webhook:${id}`,
  field: `secrets[${number}]`,
});

/** Encrypts a secret, bound to its webhook and number. */
export const encryptSecret = async (
  webhook: WebhookId,
  number: number,
  secret: string,
  keys: DataKeys,
): Promise<StoredSecret> => ({ number, jwe: await keys.encrypt(placeOf(webhook, number), secret) });

export const validSecrets = (secrets: readonly StoredSecret[], now: Date): StoredSecret[] =>
  secrets.filter(({ until }) => until === undefined || until > now.toISOString());

/** Decrypts the secrets that are valid now. Throws the errors of KMS. */
export const decryptSecrets = (webhook: SecretHolder, keys: DataKeys, now: Date) =>
  Promise.all(
    validSecrets(webhook.secrets, now).map(({ number, jwe }) => keys.decrypt(placeOf(webhook, number), jwe)),
  );

/** Creates the first secret of a new webhook, connection or payment provider. */
export async function firstSecret(
  record: WebhookId,
  { dataKeys }: { dataKeys(): Promise<DataKeys> },
): Promise<{ secret: string; secrets: StoredSecret[] }> {
  const secret = mintWebhookSecret();
  return { secret, secrets: [await encryptSecret(record, 1, secret, await dataKeys())] };
}

/**
 * Creates the next secret of a webhook or of a connection. The previous secret stays valid for another 24 hours, unless
 * `expireNow` is set. Throws `secrets_overlap` if two secrets are already valid and `expireNow` is not set.
 */
export async function rotateSecret(
  before: SecretHolder,
  { now, body: { expireNow }, dataKeys }: RotationRequest,
): Promise<{ secret: string; secrets: StoredSecret[]; previousSecretUntil?: string }> {
  const secret = mintWebhookSecret();
  const number = Math.max(0, ...before.secrets.map((known) => known.number)) + 1;
  const next = await encryptSecret(before, number, secret, await dataKeys());
  if (expireNow) return { secret, secrets: [next] };
  const signing = validSecrets(before.secrets, now);
  if (signing.length > 1) throw new ApiError('secrets_overlap');
  const until = new Date(now.getTime() + overlap).toISOString();
  const secrets = [next, ...signing.map((known) => ({ ...known, until }))];
  return { secret, secrets, previousSecretUntil: until };
}
