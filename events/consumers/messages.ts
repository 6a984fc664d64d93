import { messageHandlers } from '../../shared/messaging/messages/message-handlers.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

/** Runs the work queues of the channels that send messages. */
export default workQueueConsumer('messages', ({ name }) => messageHandlers[name]);
