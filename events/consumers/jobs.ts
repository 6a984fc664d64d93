import { workOf } from '../work-handlers.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

/** Runs the work queues of mail, text messages and jobs. */
export default workQueueConsumer('jobs', workOf);
