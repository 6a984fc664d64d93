import type { AccountId } from '../../shared/id/account-id.ts';
import { showWebhook } from '../../shared/messaging/webhooks/show-webhook.ts';
import { type WebhookWithHealth, webhooks } from '../../shared/messaging/webhooks/store.ts';
import { inBatches } from '../../shared/table/in-batches.ts';
import { webhookWorkQueue } from '../../shared/work-queue/keys.ts';
import { waitingOf } from '../../shared/work-queue/list-work-items.ts';
import { readWorkQueueState } from '../../shared/work-queue/store.ts';
import { nextStart } from '../../shared/work-queue/work-queue-state.ts';
import type { StageSettings } from '../stage-settings.ts';
import { print, textTable } from './print.ts';
import { requireAccount } from './require-account.ts';
import { useTableOf } from './service-at.ts';

type Options = { account: AccountId; json?: boolean; stage?: StageSettings };

export default async function ({ account, json, stage }: Options): Promise<void> {
  await useTableOf(stage);
  await requireAccount(account);
  const now = new Date();
  const found = await inBatches(5, await webhooks.all(account), (one) => statusOf(account, one, now));
  const rows = found.map(({ id, label, disabledReason, failures, nextAttemptAt, health }) => [
    String(id),
    label,
    health.status,
    health.lastSuccessAt ?? '-',
    String(failures),
    String(health.lastStatus ?? '-'),
    String(health.waiting),
    nextAttemptAt ?? '-',
    disabledReason ?? '-',
  ]);
  const titles = [
    'id',
    'webhook',
    'state',
    'last success',
    'failures',
    'last status',
    'waiting',
    'next attempt',
    'reason',
  ];
  const lines = rows.length > 0 ? textTable([titles, ...rows]) : [`Account ${account} has no webhooks.`];
  print({ accountId: account, webhooks: found }, json ? undefined : lines);
}

async function statusOf(account: AccountId, one: WebhookWithHealth, now: Date) {
  const workQueue = webhookWorkQueue(account, one.webhook.id);
  const [waiting, { state }] = await Promise.all([waitingOf(workQueue), readWorkQueueState(workQueue)]);
  const { id, disabledReason, health } = showWebhook(one, now, waiting);
  return {
    id,
    label: webhooks.describe(one.webhook).label,
    disabledReason,
    failures: one.health.failures ?? 0,
    nextAttemptAt: nextStart(state),
    health,
  };
}
