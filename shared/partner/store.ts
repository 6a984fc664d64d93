import { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import type { StoredHealth, StoredSecret } from '../messaging/webhooks/schema.ts';
import { type Item, recordOf } from '../table/item.ts';
import {
  checkAt,
  deleteIfVersion,
  deleteItem,
  putIfAbsent,
  putIfVersion,
  type Write,
} from '../table/operations.ts';
import { getItem, queryItems } from '../table/read.ts';
import {
  connectionHealthKey,
  connectionKey,
  partnerCommentKey,
  partnerPartition,
  partnerTicketKey,
} from './keys.ts';
import type { PartnerConnection } from './schema.ts';

/** A connection as it is stored. `secrets` contains the current secret and, after a rotation, the previous secret. */
export interface StoredConnection extends Omit<PartnerConnection, 'health' | 'previousSecretUntil'> {
  secrets: StoredSecret[];
}

export interface ConnectionWithHealth {
  connection: StoredConnection;
  health: StoredHealth;
}

/** The connection of an account to its partner. An account has at most one. Its health is a separate item. */
export const connections = {
  async find(account: AccountId): Promise<StoredConnection | undefined> {
    const item = await getItem(connectionKey(account));
    return item && recordOf<StoredConnection>(item);
  },

  /** Throws `partner_not_connected` without a connection, and `partner_inactive` if it is not active. */
  async getActive(account: AccountId): Promise<StoredConnection> {
    const connection = await this.find(account);
    if (!connection) throw new ApiError('partner_not_connected');
    if (!connection.active) throw new ApiError('partner_inactive');
    return connection;
  },

  async findWithHealth(account: AccountId): Promise<ConnectionWithHealth | undefined> {
    const sortKey = { from: connectionKey(account).sk, to: connectionHealthKey(account).sk };
    const items = await queryItems({ partition: partnerPartition(account), sortKey });
    const found = items.find(({ type }) => type === 'partner-connection');
    const health = items.find(({ type }) => type === 'partner-health');
    return found && { connection: recordOf(found), health: health ? recordOf(health) : {} };
  },

  /** Throws `not_found`. */
  async getWithHealth(account: AccountId): Promise<ConnectionWithHealth> {
    const found = await this.findWithHealth(account);
    if (!found) throw new ApiError('not_found', { message: 'The account has no connection to a partner.' });
    return found;
  },

  insert: (connection: StoredConnection): Write[] => [putIfAbsent(itemOf(connection))],

  /** A changed URL and an activation reset the health. */
  replace(before: StoredConnection, after: StoredConnection): Write[] {
    if (before === after) return [];
    const reset = resetsConnectionHealth(before, after)
      ? [deleteItem(connectionHealthKey(after.accountId))]
      : [];
    return [putIfVersion(itemOf(after), before.version), ...reset];
  },

  /** Fails the transaction if the connection changed since it was read. */
  unchanged: ({ accountId, version }: StoredConnection): Write => checkAt(connectionKey(accountId), version),

  delete: ({ accountId, version }: StoredConnection): Write[] => [
    deleteIfVersion(connectionKey(accountId), version),
    deleteItem(connectionHealthKey(accountId)),
  ],
};

export const resetsConnectionHealth = (before: StoredConnection, after: StoredConnection): boolean =>
  before.url !== after.url || (after.active && !before.active);

const itemOf = (connection: StoredConnection): Item => ({
  ...connectionKey(connection.accountId),
  type: 'partner-connection',
  ...connection,
});

/** The tickets and comments of the partner, by its ids. They prevent that one of them is created twice. */
export const partnerTickets = {
  /** Returns the id of our ticket. */
  async find(account: AccountId, partnerTicketId: string): Promise<number | undefined> {
    const item = await getItem(partnerTicketKey(account, partnerTicketId));
    return item && Number(item.ticketId);
  },

  hasComment: async (account: AccountId, partnerTicketId: string, commentId: string): Promise<boolean> =>
    (await getItem(partnerCommentKey(account, partnerTicketId, commentId))) !== undefined,

  insert: (account: AccountId, partnerTicketId: string, ticketId: number): Write =>
    putIfAbsent({ ...partnerTicketKey(account, partnerTicketId), type: 'partner-ticket', ticketId }),

  insertComment: (account: AccountId, partnerTicketId: string, commentId: string): Write =>
    putIfAbsent({ ...partnerCommentKey(account, partnerTicketId, commentId), type: 'partner-comment' }),
};
