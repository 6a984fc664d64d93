import type { AccountId } from '../id/account-id.ts';
import { type Key, type ListedNoun, recordKey } from '../table/keys.ts';

/**
 * The counter of the slots that a rotation has used since its last reset. No transaction writes this counter,
 * so that concurrent requests never conflict.
 */
export const slotKey = (account: AccountId, noun: ListedNoun, id: number, epoch: number): Key => ({
  pk: recordKey(account, noun, id).pk,
  sk: `SLOT#${epoch}`,
});
