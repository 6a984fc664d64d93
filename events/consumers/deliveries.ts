import { deliveries } from '../../shared/messaging/webhooks/deliver.ts';
import { webhookOf } from '../../shared/work-queue/keys.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

/** Runs the work queues of webhooks. */
export default workQueueConsumer('deliveries', (workQueue) =>
  webhookOf(workQueue) === undefined ? undefined : deliveries,
);
