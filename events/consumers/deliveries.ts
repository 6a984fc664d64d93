import { deliveries } from '../../shared/messaging/webhooks/deliver.ts';
import { partnerRequestHandler } from '../../shared/partner/send-requests.ts';
import { type WorkQueue, webhookOf } from '../../shared/work-queue/keys.ts';
import type { WorkHandler } from '../../shared/work-queue/work-handler.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

const workOf = (workQueue: WorkQueue): WorkHandler | undefined => {
  if (workQueue.name === 'PARTNER') return partnerRequestHandler;
  return webhookOf(workQueue) === undefined ? undefined : deliveries;
};

/**
 * Runs the work queues of webhooks and of requests to partners. The bundle is separate because code that decrypts
 * secrets is large.
 */
export default workQueueConsumer('deliveries', workOf);
