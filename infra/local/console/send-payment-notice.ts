import { randomUUID } from 'node:crypto';
import { providers } from '../../../shared/billing/provider/store.ts';
import type { AccountId } from '../../../shared/id/account-id.ts';
import { decryptSecrets } from '../../../shared/messaging/webhooks/secrets.ts';
import { signedHeaders } from '../../../shared/messaging/webhooks/signature.ts';
import { openDataKeys } from '../../../shared/security/data-keys.ts';
import { responseErrorOf } from '../../client/response-error.ts';

/** In milliseconds. */
const keyTimeout = 5_000;

/**
 * Sends a notification as the payment provider of the account would: over HTTP, signed with the provider's secret. Returns
 * the response of the API, or undefined if the account has no provider. Throws ResponseError for an error response.
 */
export async function sendPaymentNotice(
  account: AccountId,
  baseUrl: string,
  { type, data }: { type: unknown; data: unknown },
): Promise<unknown> {
  const now = new Date();
  const provider = await providers.find(account);
  if (!provider) return undefined;
  const keys = await openDataKeys({ account, keep: false, deadline: now.getTime() + keyTimeout });
  const secrets = await decryptSecrets(provider, keys, now);
  const body = Buffer.from(JSON.stringify({ type, timestamp: now.toISOString(), data }));
  const response = await fetch(`${baseUrl}/billing/provider/${account}/notifications`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signedHeaders(body, secrets, `evt_${randomUUID()}`, now),
    },
    body,
  });
  if (!response.ok) throw await responseErrorOf(response);
  return response.json();
}
