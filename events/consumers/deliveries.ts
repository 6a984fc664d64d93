import { deliveries } from '../../shared/messaging/webhooks/deliver.ts';
import { webhookOf } from '../../shared/work-queue/work-queue.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

const work = deliveries();

/** Works the work queue of a webhook: alone in its bundle, since what opens a webhook's secrets is large. */
export default workQueueConsumer('deliveries', (workQueue) =>
  webhookOf(workQueue) === undefined ? undefined : work,
);
