import { fanOut } from '../../shared/messaging/recipients/fan-out.ts';
import { openFanOutJob, openRewriteJob } from '../../shared/messaging/recipients/jobs.ts';
import { channelsOf } from '../channels.ts';
import type { Consumer } from '../consumer.ts';

/** Tells an event to those who hear of it. */
export default {
  queue: 'notifications',
  handle: (event, run) => fanOut(event, { channels: channelsOf(event), openFanOutJob, openRewriteJob }, run),
} satisfies Consumer;
