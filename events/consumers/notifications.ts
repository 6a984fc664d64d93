import { channelsOf } from '../../shared/messaging/messages/hand-over.ts';
import { fanOut } from '../../shared/messaging/recipients/fan-out.ts';
import { openFanOutJob, openRewriteJob } from '../../shared/messaging/recipients/jobs.ts';
import type { Consumer } from '../consumer.ts';

/** Notifies the recipients of an event. */
export default {
  queue: 'notifications',
  handle: (event, run) =>
    fanOut(event, { channels: channelsOf(event), openFanOutJob, openRewriteJob }, run, run.reads),
} satisfies Consumer;
