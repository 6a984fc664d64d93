import type { Health, Webhook } from './schema.ts';
import { signingAt } from './secrets.ts';
import type { WatchedWebhook } from './store.ts';

type WaitingDeliveries = Pick<Health, 'waiting' | 'oldestWaitingAt'>;

/** Returns a webhook as the API shows it: with its health, without its secrets. */
export function showWebhook(
  { webhook, health }: WatchedWebhook,
  now: Date,
  waiting?: WaitingDeliveries,
): Webhook {
  const { secrets, ...shown } = webhook;
  const previous = signingAt(secrets, now)[1];
  return {
    ...shown,
    failingSince: health.failingSince,
    previousSecretUntil: previous?.until,
    health: { status: statusOf({ webhook, health }), ...health, ...waiting },
  };
}

function statusOf({ webhook, health }: WatchedWebhook): Health['status'] {
  if (!webhook.active) return 'disabled';
  if (health.failingSince !== undefined) return 'failing';
  return health.lastSuccessAt === undefined ? 'idle' : 'healthy';
}
