import { partnerEventHandler } from '../../shared/partner/apply-events.ts';
import { partnerRequestHandler } from '../../shared/partner/send-requests.ts';
import type { WorkQueueName } from '../../shared/work-queue/keys.ts';
import type { WorkHandler } from '../../shared/work-queue/work-handler.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

const handlers: Readonly<Partial<Record<WorkQueueName, WorkHandler>>> = {
  PARTNER: partnerRequestHandler,
  PARTNEREVENTS: partnerEventHandler,
};

/** Runs the work queues of requests to partners and of partners' events. */
export default workQueueConsumer('partner', ({ name }) => handlers[name]);
