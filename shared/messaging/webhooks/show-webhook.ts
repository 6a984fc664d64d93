import type { Health, Webhook } from './schema.ts';
import { signingAt } from './secrets.ts';
import type { WatchedWebhook } from './store.ts';

/** How many deliveries of a webhook wait, and since when the oldest does. */
type WaitingDeliveries = Pick<Health, 'waiting' | 'oldestWaitingAt'>;

/** A webhook as the API shows it: without its secrets, and with its health. */
export function showWebhook(
  { webhook, health }: WatchedWebhook,
  now: Date,
  waiting?: WaitingDeliveries,
): Webhook {
  const { secrets, ...shown } = webhook;
  const before = signingAt(secrets, now)[1];
  return {
    ...shown,
    failingSince: health.failingSince,
    previousSecretUntil: before?.until,
    health: { status: statusOf({ webhook, health }), ...health, ...waiting },
  };
}

function statusOf({ webhook, health }: WatchedWebhook): Health['status'] {
  if (!webhook.active) return 'disabled';
  if (health.failingSince !== undefined) return 'failing';
  return health.lastSuccessAt === undefined ? 'idle' : 'healthy';
}
