import type { Event } from '../../events/envelope.ts';
import { findEvent } from '../../events/find-event.ts';
import { enqueue } from '../../work-queue/enqueue.ts';
import type { Job } from '../../work-queue/jobs.ts';
import { jobsOf } from '../../work-queue/keys.ts';
import { keptUntil, workItemId } from '../../work-queue/work-item.ts';
import { rewriteSubscriberIndex } from '../subscriber-index/rewrite-subscriber-index.ts';
import { type FanOut, notifyNext } from './fan-out.ts';

interface FanOutContent {
  job: 'fan_out';
  eventId: number;
  after: number;
}

interface RewriteContent {
  job: 'rewrite_subscriber_index';
}

/** The time a run needs to store its result, in milliseconds. */
const margin = 3_000;
const day = 86_400_000;

export const openFanOutJob: FanOut['openFanOutJob'] = async (event, run) => {
  const content: FanOutContent = { job: 'fan_out', eventId: event.id, after: 0 };
  const workItem = { id: workItemId(event.id, 'fan-out'), content, expires: keptUntil(event) };
  const due = new Date(event.occurredAt);
  await enqueue(jobsOf(event.accountId), { ...workItem, due }, run);
};

/** Creates one job per marker, even if many events find the marker. */
export const openRewriteJob: FanOut['openRewriteJob'] = async ({ accountId }, { id, version, at }, run) => {
  const content: RewriteContent = { job: 'rewrite_subscriber_index' };
  const expires = new Date(run.now.getTime() + day);
  const workItem = { id: workItemId(id, version, 'rewrite'), content, due: new Date(at), expires };
  await enqueue(jobsOf(accountId), workItem, run);
};

/** Notifies the next recipients. The cursor moves only at the end of a step, so that no recipient is skipped. */
export const continueFanOut =
  (channelsOf: (event: Event) => FanOut['channels']): Job<FanOutContent> =>
  async ({ content }, { account }, { now, deadline }) => {
    const event = await findEvent(account, content.eventId, now);
    if (!event) return { status: 'cancelled' };
    const run = { now, deadline };
    const upTo = await notifyNext(event, content.after, { channels: channelsOf(event) }, run);
    return upTo === undefined
      ? { status: 'delivered' }
      : { content: { ...content, after: upTo }, again: now };
  };

/** Rewrites the subscriber index for all marked users. After the deadline, the job continues in its next step. */
export const rewriteIndexJob: Job<RewriteContent> = async ({ content }, { account }, { now, deadline }) =>
  (await rewriteSubscriberIndex(account, deadline - margin))
    ? { status: 'delivered' }
    : { content, again: now };
