import type { Consumer } from '../consumer.ts';

/** Makes an event a delivery to each webhook that subscribes to it. There is no webhook yet. */
export default { queue: 'webhooks', handle: async () => {} } satisfies Consumer;
