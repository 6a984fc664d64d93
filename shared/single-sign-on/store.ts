import { ApiError, notFound } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { type Item, recordOf } from '../table/item.ts';
import { quotaKey } from '../table/keys.ts';
import {
  addToCounter,
  addWithinQuota,
  deleteIfVersion,
  putIfAbsent,
  putIfVersion,
  type Write,
} from '../table/operations.ts';
import { getItem, queryItems } from '../table/read.ts';
import { ssoConnectionKey, ssoConnectionPartition } from './keys.ts';
import type { StoredSsoConnection } from './schema.ts';

/** An account has at most this many connections. */
const mostConnections = 20;

/** The error of a sign-in or a logout whose caller is not known. */
export const unknownConnection = (): ApiError =>
  new ApiError('not_found', { message: 'The single sign-on connection does not exist.' });

/** The connections of an account are in one small partition. A list reads the whole partition. */
export const ssoConnections = {
  async find(account: AccountId, id: number): Promise<StoredSsoConnection | undefined> {
    const item = await getItem(ssoConnectionKey(account, id));
    return item && recordOf<StoredSsoConnection>(item);
  },

  /** Throws `not_found`. */
  async get(account: AccountId, id: number): Promise<StoredSsoConnection> {
    const connection = await this.find(account, id);
    if (!connection) throw notFound('sso_connection', id);
    return connection;
  },

  /** Newest first. */
  async all(account: AccountId): Promise<StoredSsoConnection[]> {
    const items = await queryItems({ partition: ssoConnectionPartition(account), newestFirst: true });
    return items.map((item) => recordOf<StoredSsoConnection>(item));
  },

  /** Throws `quota_exceeded` above 20 connections. */
  insert: (connection: StoredSsoConnection): Write[] => [
    putIfAbsent(itemOf(connection)),
    addWithinQuota(quotaKey(connection.accountId, 'SSOCONNECTION'), mostConnections),
  ],

  replace: (before: StoredSsoConnection, after: StoredSsoConnection): Write[] =>
    before === after ? [] : [putIfVersion(itemOf(after), before.version)],

  delete: ({ accountId, id, version }: StoredSsoConnection): Write[] => [
    deleteIfVersion(ssoConnectionKey(accountId, id), version),
    addToCounter(quotaKey(accountId, 'SSOCONNECTION'), -1),
  ],
};

const itemOf = (connection: StoredSsoConnection): Item => ({
  ...ssoConnectionKey(connection.accountId, connection.id),
  type: 'sso-connection',
  ...connection,
});
