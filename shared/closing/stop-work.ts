import type { AccountId } from '../id/account-id.ts';
import { webhooks } from '../messaging/webhooks/store.ts';
import { closeSubscriptions, subscriptionsOf } from '../messaging/webhooks/subscriptions.ts';
import type { Write } from '../table/operations.ts';
import { accountWorkQueues, type WorkQueue } from '../work-queue/keys.ts';
import { closeWorkQueue, markDueUnread } from '../work-queue/store.ts';

/**
 * Returns the writes that stop all work queues of an account. They fail if the account gets or loses a webhook meanwhile.
 * After them, the account gets no new webhook.
 */
export async function stopWork(account: AccountId): Promise<Write[]> {
  const webhookIds = await webhookIdsOf(account);
  return [
    ...accountWorkQueues(account, webhookIds).map(closeWorkQueue),
    closeSubscriptions(account, true),
    webhooks.unchangedCount(account, webhookIds.length),
  ];
}

/** Returns the writes that continue all work queues of an account. The sweep triggers them within two minutes. */
export async function continueWork(account: AccountId, now: Date): Promise<Write[]> {
  const continued = (workQueue: WorkQueue) => markDueUnread(workQueue, now, { closed: false });
  return [
    ...accountWorkQueues(account, await webhookIdsOf(account)).map(continued),
    closeSubscriptions(account, false),
  ];
}

const webhookIdsOf = async (account: AccountId): Promise<number[]> =>
  (await subscriptionsOf(account)).map(({ webhookId }) => webhookId);
