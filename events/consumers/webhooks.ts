import { openSealing } from '../../shared/integrity/event-seals/open-sealing.ts';
import { fanOut } from '../../shared/messaging/webhooks/fan-out.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import type { Consumer } from '../consumer.ts';

/** Makes an event a delivery to each webhook that subscribes to it, and opens the job that seals its account's log. */
export default {
  queue: 'webhooks',
  handle: async (event, run) => void (await inParallel([fanOut(event, run), openSealing(event, run)])),
} satisfies Consumer;
