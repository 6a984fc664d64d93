import type { Health } from '../messaging/webhooks/schema.ts';
import { validSecrets } from '../messaging/webhooks/secrets.ts';
import { healthStatus } from '../messaging/webhooks/show-webhook.ts';
import type { PartnerConnection } from './schema.ts';
import type { ConnectionWithHealth } from './store.ts';

/** Returns a connection as the API shows it: with its health, without its secrets. */
export function showConnection(
  { connection, health }: ConnectionWithHealth,
  now: Date,
  waiting?: Pick<Health, 'waiting' | 'oldestWaitingAt'>,
): PartnerConnection {
  const { secrets, ...shown } = connection;
  return {
    ...shown,
    previousSecretUntil: validSecrets(secrets, now)[1]?.until,
    health: { status: healthStatus(connection, health), ...health, ...waiting },
  };
}
