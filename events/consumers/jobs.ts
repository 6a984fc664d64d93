import { workOf } from '../work-handlers.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

/** Works an account's work queue of mail, text messages or jobs. */
export default workQueueConsumer('jobs', workOf);
