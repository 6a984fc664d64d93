import { ApiError } from '../../errors.ts';
import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import { describePermissions } from '../../security/permissions.ts';
import { recordOf } from '../../table/item.ts';
import { quotaKey } from '../../table/keys.ts';
import { shortListSource } from '../../table/list-source.ts';
import {
  addToCounter,
  addWithinQuota,
  deleteIfVersion,
  putIfAbsent,
  putIfVersion,
  type Write,
} from '../../table/operations.ts';
import { getItem, getItems, queryItems } from '../../table/read.ts';
import { apiKeyKey, apiKeyPartition } from './keys.ts';
import { lastUseKeyOf } from './last-use.ts';
import type { ApiKey, StoredApiKey } from './schema.ts';

/** An account has at most this many. */
const mostKeys = 100;

/** The API keys of an account: few enough to be one partition, which every list reads whole. */
export const apiKeys = {
  subject: 'api_key' as const,
  describe: ({ description }: Pick<StoredApiKey, 'id' | 'version' | 'description'>): Described => ({
    label: description,
  }),

  /** Its permissions described, its hash left out. */
  show: ({ flatPermissionsList, secretHash, sessionEpoch, ...key }: StoredApiKey): ApiKey => ({
    ...key,
    expiresAt: key.expiresAt ?? null,
    permissions: describePermissions(flatPermissionsList),
  }),

  /** Without its hash. */
  forEvents: ({ secretHash, sessionEpoch, ...key }: StoredApiKey) => key,

  /** The key with this id, which in a path is text. Throws `not_found`. */
  async get(account: AccountId, id: number | string): Promise<StoredApiKey> {
    const known = asRecordId(String(id));
    const item = known === undefined ? undefined : await getItem(apiKeyKey(account, known));
    if (!item) throw new ApiError('not_found');
    return recordOf<StoredApiKey>(item);
  },

  /** The account's keys as the source of a list. */
  listOf(account: AccountId) {
    return shortListSource(async () => {
      const items = await queryItems({ partition: apiKeyPartition(account), newestFirst: true });
      return withLastUse(
        account,
        items.map((item) => this.show(recordOf(item))),
      );
    });
  },

  /** Throws `quota_exceeded` past 100 keys. */
  insert(key: StoredApiKey): Write[] {
    const account = key.accountId;
    return [putIfAbsent(itemOf(key)), addWithinQuota(quotaKey(account, 'APIKEY'), mostKeys)];
  },

  replace(before: StoredApiKey, after: StoredApiKey): Write[] {
    return before === after ? [] : [putIfVersion(itemOf(after), before.version)];
  },

  /** Leaves no tombstone: the public half is random, so that no later key can be mistaken for this one. */
  delete(key: StoredApiKey): Write[] {
    const account = key.accountId;
    return [
      deleteIfVersion(apiKeyKey(account, key.id), key.version),
      addToCounter(quotaKey(account, 'APIKEY'), -1),
    ];
  },
};

const itemOf = (key: StoredApiKey) => ({
  ...apiKeyKey(key.accountId, key.id),
  type: 'apikey',
  ...key,
});

async function withLastUse(home: AccountId, keys: ApiKey[]): Promise<ApiKey[]> {
  const uses = await getItems(keys.map(({ id }) => lastUseKeyOf({ kind: 'key', id, home })));
  return keys.map((key, index) => ({ ...key, lastUsedAt: uses[index] && String(uses[index].lastUsedAt) }));
}
