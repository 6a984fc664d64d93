import type { AccountId } from '../accounts/account-id.ts';
import { lastUseKeyOf } from '../auth/last-use.ts';
import { describePermissions } from '../auth/permissions.ts';
import { Refusal } from '../http/errors.ts';
import { listedWhole } from '../http/list-source.ts';
import { recordOf } from '../table/item.ts';
import { apiKeyKey, apiKeyPartition, quotaKey } from '../table/keys.ts';
import { asRecordId } from '../table/mint.ts';
import { getItem, getItems, queryItems } from '../table/read.ts';
import { addTo, addWithin, putNew, putOver, removeAt, type Write } from '../table/write.ts';
import type { ApiKey, StoredApiKey } from './api-key.ts';

/** An account has at most this many. */
const mostKeys = 100;

/** The API keys of an account: few enough to be one partition, which every list reads whole. */
export const apiKeys = {
  /** The key with this id, as a path gives it. Refuses with `not_found`. */
  async get(account: AccountId, id: string): Promise<StoredApiKey> {
    const known = asRecordId(id);
    const item = known === undefined ? undefined : await getItem(apiKeyKey(account, known));
    if (!item) throw new Refusal('not_found');
    return recordOf<StoredApiKey>(item);
  },

  /** The account's keys as the source of a list. */
  listOf(account: AccountId) {
    return listedWhole(async () => {
      const items = await queryItems({ partition: apiKeyPartition(account), newestFirst: true });
      return withLastUse(
        account,
        items.map((item) => shownKey(recordOf(item))),
      );
    });
  },

  /** Refuses with `quota_exceeded` past 100 keys. */
  insert(key: StoredApiKey): Write[] {
    const account = key.accountId as AccountId;
    return [putNew(itemOf(key)), addWithin(quotaKey(account, 'APIKEY'), mostKeys)];
  },

  replace(before: StoredApiKey, after: StoredApiKey): Write[] {
    return before === after ? [] : [putOver(itemOf(after), before.version)];
  },

  /** Leaves no tombstone: its public half is random, so that no later key can be taken for it. */
  delete(key: StoredApiKey): Write[] {
    const account = key.accountId as AccountId;
    return [removeAt(apiKeyKey(account, key.id), key.version), addTo(quotaKey(account, 'APIKEY'), -1)];
  },
};

const itemOf = (key: StoredApiKey) => ({
  ...apiKeyKey(key.accountId as AccountId, key.id),
  type: 'apikey',
  ...key,
});

/** An API key as the API shows it: its permissions described, its hash left out. */
export function shownKey({ flatPermissionsList, secretHash, sessionEpoch, ...key }: StoredApiKey): ApiKey {
  return { ...key, expiresAt: key.expiresAt ?? null, permissions: describePermissions(flatPermissionsList) };
}

/** An API key as events tell of it: without its hash. */
export const publicKey = ({ secretHash, sessionEpoch, ...key }: StoredApiKey) => key;

async function withLastUse(home: AccountId, keys: ApiKey[]): Promise<ApiKey[]> {
  const uses = await getItems(keys.map(({ id }) => lastUseKeyOf({ kind: 'key', id, home })));
  return keys.map((key, index) => ({ ...key, lastUsedAt: uses[index] && String(uses[index].lastUsedAt) }));
}
