import { invalid } from '../../errors.ts';
import type { Event } from '../../events/envelope.ts';
import { eventsFrom } from '../../events/log.ts';
import { commit } from '../../events/outbox.ts';
import { mintId } from '../../id/mint.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { Write } from '../../table/operations.ts';
import { attemptOnceWrites, enqueue, enqueueWrites, replaceWrites } from '../../work-queue/enqueue.ts';
import type { Job, JobContent } from '../../work-queue/jobs.ts';
import { jobsOf, type WorkQueue, webhookWorkQueue } from '../../work-queue/keys.ts';
import { findWorkItem } from '../../work-queue/list-work-items.ts';
import type { AttemptRun } from '../../work-queue/work-handler.ts';
import type { Attempt, NewWorkItem, WorkItem } from '../../work-queue/work-item.ts';
import type { DeliveryContent } from './delivery.ts';
import { deliveryOf } from './enqueue-deliveries.ts';
import type { StoredWebhook } from './schema.ts';
import { webhooks } from './store.ts';
import { isAllowed, permissionsNow, wants } from './subscriptions.ts';

const pageSize = 50;
const keptFor = 7 * 86_400_000;

/** The content of a job that delivers missed events to a webhook. */
interface RecoverContent extends JobContent {
  job: 'recover';
  webhookId: number;
  since: string;
  until: string;
  cursor?: number;
}

/** The maximum age of `since`, in milliseconds. */
const furthest = 30 * 86_400_000;

/** Validates the time span of a recovery. Throws `invalid_input`. */
export function readSpan(
  { since, until }: { since: string; until?: string },
  now: Date,
): { since: Date; until: Date } {
  const [from, to] = [new Date(since), until === undefined ? now : new Date(until)];
  if (from.getTime() < now.getTime() - furthest) throw invalid('since', 'must be at most 30 days ago');
  if (from > now) throw invalid('since', 'must not be in the future');
  if (to < from) throw invalid('until', 'must not be before since');
  return { since: from, until: to };
}

export const recoveryWrites = (
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
  return enqueueWrites(jobsOf(account), { id: `recover-${mintId(now)}`, due: now, content, expires }, now);
};

/**
 * Returns the writes that request one more attempt of a delivery. The delivery can have any status. A waiting delivery
 * keeps its schedule.
 */
export const redeliveryWrites = (
  { accountId, id }: Pick<StoredWebhook, 'accountId' | 'id'>,
  delivery: Pick<WorkItem<DeliveryContent>, 'id' | 'createdAt' | 'expiresAt'>,
  now: Date,
): Write[] => attemptOnceWrites(webhookWorkQueue(accountId, id), delivery, now);

/**
 * Performs one step of a recovery. Enqueues deliveries of the next events in the log that match the webhook's current
 * subscription, and that the account may read. These events may be older than the webhook. Failed and cancelled
 * deliveries start again and keep their attempts. Waiting deliveries do not change.
 */
export const recover: Job<RecoverContent> = async ({ content }, { account }, run) => {
  const { webhookId, since, until, cursor } = content;
  const [webhook, permissions] = await inParallel([
    webhooks.find(account, webhookId),
    permissionsNow(account),
  ]);
  if (!webhook?.active) return { status: 'cancelled' };
  const events = await eventsFrom(account, { after: cursor, since, limit: pageSize });
  const { events: kinds, happenings, externalKeyId: keyId } = webhook;
  const subscription = { webhookId, kinds: new Set(kinds), happenings, keyId };
  const workQueue = webhookWorkQueue(account, webhookId);
  for (const event of events) {
    if (
      isMissing(event, { since, until }) &&
      wants(subscription, event) &&
      isAllowed(subscription, event, permissions)
    )
      await recoverOne(workQueue, deliveryOf(event, run.now, permissions !== undefined), run);
    if (Date.now() >= run.deadline || run.signal.aborted) return continueAfter(content, event, run);
  }
  const last = events.at(-1);
  return last && events.length === pageSize && mintedBefore(last, until)
    ? continueAfter(content, last, run)
    : { status: 'delivered' };
};

const continueAfter = (content: RecoverContent, { id }: Event, { now }: AttemptRun) => ({
  content: { ...content, cursor: id },
  again: now,
});

const isMissing = (
  { occurredAt, kind }: Event,
  { since, until }: { since: string; until: string },
): boolean => kind !== 'webhook_test' && occurredAt >= since && occurredAt < until;

/**
 * The log is sorted by id. The time in an id can be up to an hour later than `occurredAt`, so events with
 * larger ids may still match.
 */
const mintedBefore = ({ occurredAt }: Event, until: string): boolean =>
  Date.parse(occurredAt) < Date.parse(until) + 3_600_000;

async function recoverOne(
  workQueue: WorkQueue,
  delivery: NewWorkItem<DeliveryContent>,
  run: AttemptRun,
): Promise<void> {
  const existing = await findWorkItem<DeliveryContent>(workQueue, delivery.id, run.now);
  if (existing === undefined) await enqueue(workQueue, delivery, run);
  if (existing?.status !== 'failed' && existing?.status !== 'cancelled') return;
  const attempts = existing.attempts.map(briefly);
  const writes = replaceWrites(workQueue, { ...delivery, attempts }, run.now);
  await commit({ writes, events: [], deadline: run.deadline });
}

/**
 * Shortens an attempt's response to the length that lists show, because the cost of a work item depends on its size.
 */
const briefly = ({ response, ...attempt }: Attempt): Attempt => ({
  ...attempt,
  ...(typeof response === 'string' && { response: response.slice(0, 200) }),
});
