import { ApiError } from '../../errors.ts';
import { type AccountId, asAccountId } from '../../id/account-id.ts';
import { openDataKeys } from '../../security/data-keys.ts';
import { decryptSecrets, type SecretHolder } from './secrets.ts';
import { verifiedMessageId } from './verify-signature.ts';

/** A request with a signed body, before its sender is known. `account` is the name in the path. */
export interface UnverifiedRequest {
  account: string;
  headers: Record<string, string | undefined>;
  rawBody: () => Buffer;
  now: Date;
  deadline: number;
}

/** The error of every failure, so that the response does not show whether the account has such a sender. */
export const notVerified = (): ApiError =>
  new ApiError('not_authenticated', { message: 'The signature or its time is not valid.' });

/**
 * Verifies the signature and the time of a request with the secrets of its sender, which `find` returns. Returns the account
 * and the id of the message. Throws `not_authenticated`.
 */
export async function authenticateSender(
  { account: name, headers, rawBody, now, deadline }: UnverifiedRequest,
  find: (account: AccountId) => Promise<(SecretHolder & { active: boolean }) | undefined>,
): Promise<{ account: AccountId; messageId: string }> {
  const account = asAccountId(name);
  if (!account || headers['webhook-signature'] === undefined) throw notVerified();
  const sender = await find(account);
  if (!sender?.active) throw notVerified();
  const keys = await openDataKeys({ account, keep: false, deadline });
  const messageId = verifiedMessageId(rawBody(), headers, await decryptSecrets(sender, keys, now), now);
  if (messageId === undefined) throw notVerified();
  return { account, messageId };
}
