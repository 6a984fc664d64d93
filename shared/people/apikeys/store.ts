import type { AccountLimits } from '../../accounts/schema.ts';
import { notFound } from '../../errors.ts';
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
import { permissionsOfKey } from './permissions.ts';
import type { ApiKey, StoredApiKey } from './schema.ts';

const maxKeys = 100;

/** The API keys of an account. Lists read all of them from one partition. */
export const apiKeys = {
  subject: 'api_key' as const,
  describe: ({ description }: Pick<StoredApiKey, 'id' | 'version' | 'description'>): Described => ({
    label: description,
  }),

  show: ({ flatPermissionsList, statesReveal, secretHash, sessionEpoch, ...key }: StoredApiKey): ApiKey => ({
    ...key,
    expiresAt: key.expiresAt ?? null,
    permissions: describePermissions(permissionsOfKey({ flatPermissionsList, statesReveal })),
  }),

  forEvents: ({ secretHash, sessionEpoch, statesReveal, ...key }: StoredApiKey) => ({
    ...key,
    flatPermissionsList: [...permissionsOfKey({ ...key, statesReveal })].sort(),
  }),

  /** Returns the key with this id. An id from the path is a string. Throws `not_found`. */
  async get(account: AccountId, id: number | string): Promise<StoredApiKey> {
    const known = asRecordId(String(id));
    const key = known === undefined ? undefined : await this.find(account, known);
    if (!key) throw notFound('API key', id);
    return key;
  },

  async find(account: AccountId, id: number): Promise<StoredApiKey | undefined> {
    const item = await getItem(apiKeyKey(account, id));
    return item && recordOf<StoredApiKey>(item);
  },

  /** Returns all keys of the account, newest first. */
  async all(account: AccountId): Promise<StoredApiKey[]> {
    const items = await queryItems({ partition: apiKeyPartition(account), newestFirst: true });
    return items.map((item) => recordOf<StoredApiKey>(item));
  },

  listOf(account: AccountId) {
    return shortListSource(async () => withLastUse(account, (await this.all(account)).map(this.show)));
  },

  /** Throws `quota_exceeded` if the account already has 100 keys, or as many as its limits allow. */
  insert(key: StoredApiKey, { apiKeys: most = maxKeys }: AccountLimits = {}): Write[] {
    const account = key.accountId;
    return [putIfAbsent(itemOf(key)), addWithinQuota(quotaKey(account, 'APIKEY'), Math.min(most, maxKeys))];
  },

  replace(before: StoredApiKey, after: StoredApiKey): Write[] {
    return before === after ? [] : [putIfVersion(itemOf(after), before.version)];
  },

  /** Writes no tombstone. Tombstones prevent the reuse of ids, but the random id of a key is never reused anyway. */
  delete(key: StoredApiKey): Write[] {
    const account = key.accountId;
    return [
      deleteIfVersion(apiKeyKey(account, key.id), key.version),
      addToCounter(quotaKey(account, 'APIKEY'), -1),
    ];
  },
};

const itemOf = (key: StoredApiKey) => ({ ...apiKeyKey(key.accountId, key.id), type: 'api_key', ...key });

async function withLastUse(home: AccountId, keys: ApiKey[]): Promise<ApiKey[]> {
  const uses = await getItems(keys.map(({ id }) => lastUseKeyOf({ kind: 'key', id, home })));
  return keys.map((key, index) => ({ ...key, lastUsedAt: uses[index] && String(uses[index].lastUsedAt) }));
}
