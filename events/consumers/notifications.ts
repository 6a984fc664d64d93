import type { Consumer } from '../consumer.ts';

/** Tells users of an event. Nobody has anything yet in which to be told. */
export default { queue: 'notifications', handle: async () => {} } satisfies Consumer;
