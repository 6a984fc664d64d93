import { fanOut } from '../../shared/webhooks/fan-out.ts';
import type { Consumer } from '../consumer.ts';

/** Makes an event a delivery to each webhook that subscribes to it. */
export default { queue: 'webhooks', handle: fanOut } satisfies Consumer;
