import { sealEvents } from '../../shared/integrity/event-seals/seal-events.ts';
import { jobHandler } from '../../shared/work-queue/jobs.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

const handler = jobHandler({ seal_events: sealEvents });

/** Seals the event logs of accounts. It is separate, so that no other function may use the seal key. */
export default workQueueConsumer('sealing', ({ name }) => (name === 'SEALING' ? handler : undefined));
