import { ApiError } from '../../errors.ts';
import { commit } from '../../events/outbox.ts';
import { subjectOf } from '../../events/subject.ts';
import { systemEvent } from '../../events/system-event.ts';
import { recordOf } from '../../table/item.ts';
import { deleteIfPresent, type TransactItem, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { enqueue } from '../../work-queue/enqueue.ts';
import type { Job, JobContent } from '../../work-queue/jobs.ts';
import { exhaustedDeliveriesKey, jobsOf, type WorkQueue, webhookWorkQueue } from '../../work-queue/keys.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import type { DeliveryContent } from './delivery.ts';
import { webhooks } from './store.ts';

const [minute, hourLong, day] = [60_000, 3_600_000, 86_400_000];

interface AnnounceContent extends JobContent {
  job: 'announce_failures';
  webhookId: number;
  /** An hour in UTC, such as `2026-03-02T10`. */
  hour: string;
}

/** The number of deliveries that exhausted their retries in an hour, and the event and error of the last delivery. */
interface ExhaustedDeliveries {
  failures: number;
  eventId: number;
  error: string;
}

/**
 * Returns the writes that count a failed delivery. The caller commits them with the result of the delivery, so that
 * each failure is counted exactly once. One event announces all failures of an hour, one minute after the hour ends. A
 * failed delivery of `webhook_delivery_failed` is not counted. Otherwise, two failing webhooks would announce each
 * other's failures in an endless loop.
 *
 * Enqueues the job before the caller commits the count, because a count without a job would never be announced. A job
 * without a count does nothing. The job runs 60 s after the end of the hour. By then, all leases from that hour have
 * ended, so the count is final.
 */
export async function countExhausted(
  workQueue: WorkQueue,
  webhookId: number,
  { eventId, kind, error }: DeliveryContent & { error: string },
  run: Run,
): Promise<Write[]> {
  if (kind === 'webhook_delivery_failed') return [];
  const hour = run.now.toISOString().slice(0, 13);
  const due = new Date(Date.parse(`${hour}:00:00.000Z`) + hourLong + minute);
  const content: AnnounceContent = { job: 'announce_failures', webhookId, hour };
  await enqueue(
    jobsOf(workQueue.account),
    { id: `failures-${webhookId}-${hour}`, due, content, expires: new Date(due.getTime() + day) },
    run,
  );
  return [addFailure(workQueue, hour, { eventId, error })];
}

const addFailure = (
  workQueue: WorkQueue,
  hour: string,
  { eventId, error }: Omit<ExhaustedDeliveries, 'failures'>,
): TransactItem => ({
  operation: {
    Update: {
      Key: exhaustedDeliveriesKey(workQueue, hour),
      UpdateExpression: 'SET #type = :type, eventId = :eventId, #error = :error ADD failures :one',
      ExpressionAttributeNames: { '#type': 'type', '#error': 'error' },
      ExpressionAttributeValues: { ':type': 'exhausted', ':eventId': eventId, ':error': error, ':one': 1 },
    },
  },
  otherwise: 'conflict',
});

/** Emits the event and deletes the count in one transaction, so that each count is announced once. */
export const announceFailures: Job<AnnounceContent> = async ({ content }, { account }, run) => {
  const key = exhaustedDeliveriesKey(webhookWorkQueue(account, content.webhookId), content.hour);
  const [item, webhook] = await Promise.all([getItem(key), webhooks.find(account, content.webhookId)]);
  if (!item || !webhook) return { status: 'delivered' };
  const { failures, eventId, error } = recordOf<ExhaustedDeliveries>(item);
  const event = systemEvent(
    {
      kind: 'webhook_delivery_failed',
      subject: subjectOf(webhooks, webhook),
      data: { failures, eventId, error },
    },
    { account, now: run.now, schedule: 'jobs' },
  );
  const announced = new ApiError('not_found');
  try {
    await commit({ writes: [deleteIfPresent(key, announced)], events: [event], deadline: run.deadline });
  } catch (error) {
    if (error !== announced) throw error;
  }
  return { status: 'delivered' };
};
