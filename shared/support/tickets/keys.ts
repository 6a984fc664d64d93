import type { AccountId } from '../../id/account-id.ts';
import { digits, idText, type Key, tenantPartition } from '../../table/keys.ts';

/** The number of ticket numbers that an account has given out. No transaction touches it. */
export const ticketNumbersKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'TICKETNUMBERS'),
  sk: 'COUNT',
});

/** Names the ticket of the account with a number such as `TKT-000123`. */
export const ticketNumberKey = (account: AccountId, ticketNumber: string): Key => ({
  pk: tenantPartition(account, 'TICKETNUMBER', ticketNumber),
  sk: 'TICKETNUMBER',
});

/** What a bulk request did to each ticket that it changed. */
export const bulkPartition = (account: AccountId, bulkId: string): string =>
  tenantPartition(account, 'BULK', idText(bulkId));

export const bulkKey = (account: AccountId, bulkId: string, ticketId: number): Key => ({
  pk: bulkPartition(account, bulkId),
  sk: digits(ticketId),
});
