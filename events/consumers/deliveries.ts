import { readWakeUp, type WakeUp } from '../../shared/events/wake-up.ts';
import type { Consumer } from '../consumer.ts';

/** Works the backlog of a webhook. There is no backlog yet. */
export default { queue: 'deliveries', read: readWakeUp, handle: async () => {} } satisfies Consumer<WakeUp>;
