import { mailHandler, textHandler } from '../../shared/messaging/messages/message-handlers.ts';
import type { WorkQueueName } from '../../shared/work-queue/keys.ts';
import type { WorkHandler } from '../../shared/work-queue/work-handler.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

const handlers: Readonly<Partial<Record<WorkQueueName, WorkHandler>>> = {
  MAIL: mailHandler,
  SMS: textHandler,
};

/** Runs the work queues of mail and text messages. */
export default workQueueConsumer('messages', ({ name }) => handlers[name]);
