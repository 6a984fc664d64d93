import type { AccountId } from '../../id/account-id.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import type { DeliveryAttempt, DeliveryContent } from './delivery.ts';
import type { Delivery } from './delivery-schema.ts';
import { messageIdOf } from './signature.ts';

type StoredAttempt = WorkItem['attempts'][number] & DeliveryAttempt;

export function showDelivery(
  account: AccountId,
  webhookId: number,
  { content: { eventId, kind, happening }, status, createdAt, due, attempts }: WorkItem<DeliveryContent>,
): Delivery {
  const kept = attempts as StoredAttempt[];
  return {
    id: eventId,
    webhookId,
    event: kind,
    happening,
    messageId: messageIdOf({ accountId: account, id: eventId }),
    status,
    createdAt,
    nextAttemptAt: due,
    sha256: kept.at(-1)?.sha256,
    attempts: kept.map(({ once, sha256, ...attempt }) => ({ ...attempt, redelivery: once })),
  };
}
