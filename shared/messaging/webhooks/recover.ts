import type { Event } from '../../events/envelope.ts';
import { eventsFrom } from '../../events/log.ts';
import { commit } from '../../events/outbox.ts';
import { mintId } from '../../id/mint.ts';
import type { Write } from '../../table/operations.ts';
import { attemptOnceWrites, enqueue, enqueueWrites, replaceWrites } from '../../work-queue/enqueue.ts';
import type { Job, JobContent } from '../../work-queue/jobs.ts';
import { findWorkItem } from '../../work-queue/list-work-items.ts';
import type { AttemptRun } from '../../work-queue/work-handler.ts';
import type { Attempt, WorkItem } from '../../work-queue/work-item.ts';
import { type WorkQueue, webhookWorkQueue } from '../../work-queue/work-queue.ts';
import { type DeliveryContent, deliveryId } from './delivery.ts';
import { deliveryOf } from './fan-out.ts';
import { wants } from './receivers.ts';
import type { StoredWebhook } from './schema.ts';
import { webhooks } from './store.ts';

/** So many events of the log are looked at in a step. */
const pageSize = 50;
/** A recovery stays on record for so long, in milliseconds. */
const keptFor = 7 * 86_400_000;

/** The job that brings a webhook what it has missed. */
interface RecoverContent extends JobContent {
  job: 'recover';
  webhookId: number;
  /** What happened at or after `since` and before `until`. */
  since: string;
  until: string;
  /** The id of the last event that was looked at. */
  cursor?: number;
}

/** The writes of an endpoint that let a webhook recover what happened at or after `since` and before `until`. */
export const recoveryOpened = (
  { accountId: account, id: webhookId }: Pick<StoredWebhook, 'accountId' | 'id'>,
  { since, until }: { since: Date; until: Date },
  now: Date,
): Write[] => {
  const content: RecoverContent = {
    job: 'recover',
    webhookId,
    since: since.toISOString(),
    until: until.toISOString(),
  };
  const expires = new Date(now.getTime() + keptFor);
  return enqueueWrites(
    { account, name: 'JOBS' },
    { id: `recover-${mintId(now)}`, due: now, content, expires },
    now,
  );
};

/**
 * The writes of an endpoint that sends a delivery once more, at once and under the same id, whatever became of it. One that
 * waits keeps its schedule.
 */
export const redelivered = (
  { accountId, id }: Pick<StoredWebhook, 'accountId' | 'id'>,
  delivery: Pick<WorkItem<DeliveryContent>, 'id' | 'createdAt' | 'expiresAt'>,
  now: Date,
): Write[] => attemptOnceWrites(webhookWorkQueue(accountId, id), delivery, now);

/**
 * A step of a recovery: the next events of the log. What the webhook subscribes to now and has not had becomes a delivery,
 * also from before it was made; what waits is left alone, and what failed or was cancelled begins anew,
 * with its attempts so far on record.
 */
export const recover: Job<RecoverContent> = async ({ content }, { account }, run) => {
  const { webhookId, since, until, cursor } = content;
  const webhook = await webhooks.find(account, webhookId);
  if (!webhook?.active) return { status: 'cancelled' };
  const events = await eventsFrom(account, { after: cursor, since, limit: pageSize });
  const subscription = { webhookId, kinds: new Set(webhook.events) };
  const workQueue = webhookWorkQueue(account, webhookId);
  for (const event of events) {
    if (isMissing(event, { since, until }) && wants(subscription, event)) await bring(workQueue, event, run);
    if (Date.now() >= run.deadline || run.signal.aborted) return goneOn(content, event, run);
  }
  const last = events.at(-1);
  return last && events.length === pageSize && mintedBefore(last, until)
    ? goneOn(content, last, run)
    : { status: 'delivered' };
};

const goneOn = (content: RecoverContent, { id }: Event, { now }: AttemptRun) => ({
  content: { ...content, cursor: id },
  again: now,
});

const isMissing = (
  { occurredAt, kind }: Event,
  { since, until }: { since: string; until: string },
): boolean => kind !== 'webhook_test' && occurredAt >= since && occurredAt < until;

/** Ids are minted after what they name occurred, and within the time of a request: an hour is more than that. */
const mintedBefore = ({ occurredAt }: Event, until: string): boolean =>
  Date.parse(occurredAt) < Date.parse(until) + 3_600_000;

async function bring(workQueue: WorkQueue, event: Event, run: AttemptRun): Promise<void> {
  const delivery = deliveryOf(event, run.now);
  const had = await findWorkItem<DeliveryContent>(workQueue, deliveryId(event.id), run.now);
  if (had === undefined) await enqueue(workQueue, delivery, run);
  else if (had.status === 'failed' || had.status === 'cancelled')
    await commit({
      writes: replaceWrites(workQueue, { ...delivery, attempts: had.attempts.map(briefly) }, run.now),
      events: [],
      deadline: run.deadline,
    });
}

/** An attempt as it is kept from then on: with as much of its response as lists show, since a work item costs by its size. */
const briefly = ({ response, ...attempt }: Attempt): Attempt => ({
  ...attempt,
  ...(typeof response === 'string' && { response: response.slice(0, 200) }),
});
