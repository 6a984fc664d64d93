import { accountKey } from '../../accounts/keys.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import type { AccountId } from '../../id/account-id.ts';
import { recordOf } from '../../table/item.ts';
import { getItem } from '../../table/read.ts';
import type { WorkQueue } from '../../work-queue/keys.ts';
import type { SentName } from './begin-sending.ts';
import type { Sender } from './compose-mail.ts';

export interface SendingRun {
  workQueue: WorkQueue & { name: SentName };
  sender: Sender & { timezone: string };
}

/**
 * Reads the account that sends a mail. If the account has no record or is closed, returns only a time zone. An example is
 * the log of a user who belongs to no account.
 */
export async function readSender(account: AccountId): Promise<SendingRun['sender']> {
  const item = await getItem(accountKey(account));
  if (!item) return { timezone: 'UTC' };
  const { name, portalUrl, vanityDomain, timezone, closedAt } = recordOf<StoredAccount>(item);
  if (closedAt !== undefined) return { timezone };
  return { name, portalUrl, vanityDomain, timezone };
}

export const prepareSending = async (workQueue: SendingRun['workQueue']): Promise<SendingRun> => ({
  workQueue,
  sender: await readSender(workQueue.account),
});
