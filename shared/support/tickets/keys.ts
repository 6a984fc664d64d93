import type { AccountId } from '../../id/account-id.ts';
import { digits, idText, type Key, tenantPartition } from '../../table/keys.ts';

/** The counter of an account's ticket numbers. It is incremented outside of transactions. */
export const ticketNumbersKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'TICKETNUMBERS'),
  sk: 'COUNT',
});

/** The item that maps a number such as `TKT-000123` to its ticket. */
export const ticketNumberKey = (account: AccountId, ticketNumber: string): Key => ({
  pk: tenantPartition(account, 'TICKETNUMBER', ticketNumber),
  sk: 'TICKETNUMBER',
});

export const bulkPartition = (account: AccountId, bulkId: string): string =>
  tenantPartition(account, 'BULK', idText(bulkId));

export const bulkKey = (account: AccountId, bulkId: string, ticketId: number): Key => ({
  pk: bulkPartition(account, bulkId),
  sk: digits(ticketId),
});
