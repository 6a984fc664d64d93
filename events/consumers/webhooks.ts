import { openSealing } from '../../shared/integrity/event-seals/open-sealing.ts';
import { enqueueDeliveries } from '../../shared/messaging/webhooks/enqueue-deliveries.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import type { Consumer } from '../consumer.ts';

/** Creates a delivery for each subscribed webhook, and the job that seals the account's log. */
export default {
  queue: 'webhooks',
  handle: async (event, run) =>
    void (await inParallel([enqueueDeliveries(event, run, run.reads), openSealing(event, run)])),
} satisfies Consumer;
