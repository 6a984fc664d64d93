import { accountKey } from '../../accounts/keys.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import type { Sender } from '../../channels/channel.ts';
import type { AccountId } from '../../id/account-id.ts';
import { recordOf } from '../../table/item.ts';
import { getItem } from '../../table/read.ts';
import type { WorkQueue } from '../../work-queue/keys.ts';

/** A work queue of messages, and its account. */
export interface SendingRun {
  workQueue: WorkQueue;
  sender: Sender & { timezone: string };
}

/**
 * Reads the account that sends a message. If the account has no record or is closed, returns only a time zone. An example
 * is the log of a user who belongs to no account.
 */
export async function readSender(account: AccountId): Promise<SendingRun['sender']> {
  const item = await getItem(accountKey(account));
  if (!item) return { timezone: 'UTC' };
  const { name, portalUrl, vanityDomain, timezone, closedAt } = recordOf<StoredAccount>(item);
  if (closedAt !== undefined) return { timezone };
  return { name, portalUrl, vanityDomain, timezone };
}
