import { readWakeUp, type WakeUp } from '../../shared/events/wake-up.ts';
import type { Consumer } from '../consumer.ts';

/** Works an account's backlog of mail, text messages or jobs. There is no backlog yet. */
export default { queue: 'jobs', read: readWakeUp, handle: async () => {} } satisfies Consumer<WakeUp>;
