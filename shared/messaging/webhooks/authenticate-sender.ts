import { requireOpen } from '../../accounts/close-account.ts';
import { accounts } from '../../accounts/store.ts';
import type { UnverifiedRequest } from '../../endpoints/contract.ts';
import { ApiError } from '../../errors.ts';
import { type AccountId, asAccountId } from '../../id/account-id.ts';
import { type DataKeys, openDataKeys } from '../../security/data-keys.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { decryptSecrets, type SecretHolder } from './secrets.ts';
import { verifiedMessageId } from './verify-signature.ts';

/** The error of every failure, so that the response does not show whether the account has such a sender. */
export const notVerified = (): ApiError =>
  new ApiError('not_authenticated', { message: 'The signature or its time is not valid.' });

/**
 * Verifies the signature and the time of a request with the secrets of its sender, which `find` returns. Returns the account
 * the id of the message, and the data keys. Throws `not_authenticated`, and `account_closed` if the account is closed, so that
 * the sender sends the message again.
 */
export async function authenticateSender(
  { account: name, headers, rawBody, now, deadline }: UnverifiedRequest,
  find: (account: AccountId) => Promise<(SecretHolder & { active: boolean }) | undefined>,
): Promise<{ account: AccountId; messageId: string; keys: DataKeys }> {
  const account = asAccountId(name);
  if (!account || headers['webhook-signature'] === undefined) throw notVerified();
  const [sender, record] = await inParallel([find(account), accounts.find(account)]);
  if (!sender?.active || !record) throw notVerified();
  const keys = await openDataKeys({ account, keep: false, deadline });
  const messageId = verifiedMessageId(rawBody(), headers, await decryptSecrets(sender, keys, now), now);
  if (messageId === undefined) throw notVerified();
  requireOpen(record);
  return { account, messageId, keys };
}
