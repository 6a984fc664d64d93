import type { Health, StoredHealth, Webhook } from './schema.ts';
import { validSecrets } from './secrets.ts';
import type { WebhookWithHealth } from './store.ts';

type WaitingDeliveries = Pick<Health, 'waiting' | 'oldestWaitingAt'>;

/** Returns a webhook as the API shows it: with its health, without its secrets. */
export function showWebhook(
  { webhook, health }: WebhookWithHealth,
  now: Date,
  waiting?: WaitingDeliveries,
): Webhook {
  const { secrets, ...shown } = webhook;
  const previous = validSecrets(secrets, now)[1];
  return {
    ...shown,
    failingSince: health.failingSince,
    previousSecretUntil: previous?.until,
    health: { status: healthStatus(webhook, health), ...health, ...waiting },
  };
}

/** Returns the health of a webhook or of the connection to the partner, in one word. */
export function healthStatus({ active }: { active: boolean }, health: StoredHealth): Health['status'] {
  if (!active) return 'disabled';
  if (health.failingSince !== undefined) return 'failing';
  return health.lastSuccessAt === undefined ? 'idle' : 'healthy';
}
