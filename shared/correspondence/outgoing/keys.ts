import type { AccountId } from '../../id/account-id.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';
import type { WorkQueue } from '../../work-queue/keys.ts';
import type { ThreadOf } from '../threads/schema.ts';

/** The work queue with one work item for each recipient of a mail. */
export const outgoingQueueOf = (account: AccountId): WorkQueue => ({ account, name: 'OUTGOINGMAIL' });

/** The id of the work item that sends a mail to its recipient with this number. */
export const sendingId = (mailId: number, recipient: number): string => `${digits(mailId)}-${recipient}`;

const limitsPartition = (account: AccountId): string => tenantPartition(account, 'MAILLIMIT', 'AUTOMATIC');

/** The key of the item that counts the automatic mails to an address in a thread. Contains only a hash of the address. */
export const automaticInThreadKey = (
  account: AccountId,
  { recordType, recordId }: ThreadOf,
  addressHash: string,
): Key => ({
  pk: limitsPartition(account),
  sk: `THREAD#${recordType}#${recordId}#${addressHash}`,
});

/** The key of the item that counts the automatic mails of an account in an hour, such as `2026-03-01T09`. */
export const automaticInHourKey = (account: AccountId, hour: string): Key => ({
  pk: limitsPartition(account),
  sk: `HOUR#${hour}`,
});

/** The key of the item that exists if an address must get no automatic mail. */
export const blockedAddressKey = (account: AccountId, addressHash: string): Key => ({
  pk: limitsPartition(account),
  sk: `BLOCKED#${addressHash}`,
});
