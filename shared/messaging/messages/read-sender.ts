import { accountKey } from '../../accounts/keys.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import type { AccountId } from '../../id/account-id.ts';
import { recordOf } from '../../table/item.ts';
import { getItem } from '../../table/read.ts';
import type { Backlog } from '../../work-queue/backlog.ts';
import type { SentName } from './begin-sending.ts';
import type { Sender } from './compose-mail.ts';

/** What a run has in common: whose backlog it is, and in whose name it sends. */
export interface SendingRun {
  backlog: Backlog & { name: SentName };
  sender: Sender & { timezone: string };
}

/** What mail depends on of the account that it comes from. Whoever belongs to no account gets it from none. */
export async function readSender(account: AccountId): Promise<SendingRun['sender']> {
  const item = await getItem(accountKey(account));
  if (!item) return { timezone: 'UTC' };
  const { name, portalUrl, timezone } = recordOf<StoredAccount>(item);
  return { name, portalUrl, timezone };
}

export const prepareSending = async (backlog: SendingRun['backlog']): Promise<SendingRun> => ({
  backlog,
  sender: await readSender(backlog.account),
});
