import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { appKeyKey } from '../../shared/sales/applications/app-key/keys.ts';
import { hashAppKey, mintAppKey } from '../../shared/security/app-keys.ts';
import { putItem } from '../../shared/table/operations.ts';
import { call } from './call.ts';
import { type Client, client } from './tenant.ts';

/** A client that sends this credential as query parameters of every call. */
export const applicant = (credential: object, sourceIp?: string): Client => {
  const withCredential = (sent: { query?: unknown }) => ({
    ...sent,
    ...(sourceIp !== undefined && { sourceIp }),
    query: { ...(sent.query as object | undefined), ...credential },
  });
  const plain = client({});
  return {
    headers: {},
    call: (endpoint, sent = {}) => call(endpoint, withCredential(sent)),
    ok: (endpoint, sent = {}) => plain.ok(endpoint, withCredential(sent)),
    dryRun: (endpoint, sent = {}) => plain.dryRun(endpoint, withCredential(sent)),
  };
};

/** Adds an appKey to an application, in addition to its existing keys. */
export async function plantAppKey(account: AccountId, applicationId: string): Promise<string> {
  const appKey = mintAppKey();
  const item = { ...appKeyKey(account, applicationId), type: 'appkey', hash: hashAppKey(appKey) };
  await commit({ writes: [putItem(item)], events: [], deadline: Date.now() + 10_000 });
  return appKey;
}
