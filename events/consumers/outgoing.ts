import { outgoingMailHandler } from '../../shared/correspondence/outgoing/send-mail.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

/** Runs the work queues of mails to customers. */
export default workQueueConsumer('outgoing', ({ name }) =>
  name === 'OUTGOINGMAIL' ? outgoingMailHandler : undefined,
);
