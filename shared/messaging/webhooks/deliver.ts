import { createHash } from 'node:crypto';
import { eventKey } from '../../events/keys.ts';
import { eventInItem } from '../../events/read-event.ts';
import { openDataKeys } from '../../security/data-keys.ts';
import type { Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import type { AttemptResult, AttemptRun, WorkHandler } from '../../work-queue/work-handler.ts';
import { isScheduled, type WorkItem } from '../../work-queue/work-item.ts';
import type { Run } from '../../work-queue/work-queue.ts';
import { type WorkQueue, webhookOf } from '../../work-queue/work-queue.ts';
import { countExhausted } from './announce-failures.ts';
import type { DeliveryAttempt, DeliveryContent } from './delivery.ts';
import { disableWebhook } from './disable-webhook.ts';
import { payloadOf } from './payload.ts';
import { lifetime, type Meaning, meaningOf, nextAttempt } from './retry-schedule.ts';
import type { StoredHealth, StoredWebhook } from './schema.ts';
import { secretsOf } from './secrets.ts';
import { type Sent, send, type World } from './send.ts';
import { messageIdOf, signedHeaders } from './signature.ts';
import { webhooks } from './store.ts';
import { hasFailedForGood, keepHealth } from './watch-health.ts';

/** What the attempts of a run have in common. It follows what they bring. */
interface DeliveryTarget {
  workQueue: WorkQueue;
  webhook: StoredWebhook;
  secrets: string[];
  /** As it is on record, after each attempt so far. */
  health: Promise<StoredHealth>;
}

/** The work of a webhook's work queue: each attempt posts the event of its delivery, signed. */
export const deliveries = (world: World = {}): WorkHandler<DeliveryContent, DeliveryTarget> => ({
  async prepare(workQueue, { now, deadline }) {
    const { account } = workQueue;
    const found = await webhooks.findWatched(account, webhookOf(workQueue) ?? 0);
    if (!found) return 'cancel all';
    const { webhook, health } = found;
    const keys = await openDataKeys({ account, keep: false, deadline });
    const secrets = await secretsOf(webhook, keys, now);
    return { workQueue, webhook, secrets, health: Promise.resolve(health) };
  },

  /** Of a webhook that is inactive goes nothing but what somebody asked for. */
  cancels: ({ webhook }) => !webhook.active,
  spares: ({ content }, { once }) => once || content.kind === 'webhook_test',

  async attempt(workItem, receiver, run) {
    // The caller who removed the kind may have changed the URL too, without the permission to read the kind.
    if (!run.once && !isSubscribed(receiver.webhook, workItem.content)) return { status: 'cancelled' };
    const tooLate = !run.once && run.now.getTime() > Date.parse(workItem.createdAt) + lifetime;
    if (tooLate) return given(workItem, receiver, run, { error: 'too_late', durationMs: 0 });
    const { account } = receiver.workQueue;
    const event = eventInItem((await getItem(eventKey(account, workItem.content.eventId))) ?? {});
    // The log has forgotten it, or never had it.
    if (!event) return { status: 'cancelled' };
    const body = payloadOf(event, receiver.webhook);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'merchant-ops-webhooks/1',
      ...signedHeaders(body, receiver.secrets, messageIdOf(event), run.now),
    };
    const { url } = receiver.webhook;
    const sent = await send({ url, headers, body }, { ...world, signal: run.signal });
    const over = new Date(run.now.getTime() + sent.durationMs);
    const meaning = meaningOf(sent, over);
    const sha256 = createHash('sha256').update(body).digest('hex');
    await learn(receiver, sent, meaning, { ...run, now: over });
    return attemptResult(workItem, receiver, { ...run, now: over }, { sent, meaning, sha256 });
  },
});

const isSubscribed = ({ events }: StoredWebhook, { kind }: DeliveryContent): boolean =>
  kind === 'webhook_test' || events.includes(kind);

/** Keeps how the webhook fares, and disables it where that is over. */
async function learn(receiver: DeliveryTarget, sent: Sent, meaning: Meaning, run: Run): Promise<void> {
  const of = { succeeded: meaning.is === 'delivered', now: run.now };
  // One after the other: what is on record says of all of them, and the last of them last.
  receiver.health = receiver.health.then(
    (known) => keepHealth(receiver.webhook, known, sent, of),
    () => keepHealth(receiver.webhook, {}, sent, of),
  );
  const reason = reasonToDisable(meaning, await receiver.health, run.now);
  if (!reason || !receiver.webhook.active) return;
  const webhook = await disableWebhook(receiver.webhook, reason, run);
  if (webhook) receiver.webhook = webhook;
}

const reasonToDisable = ({ is }: Meaning, health: StoredHealth, now: Date): string | undefined => {
  if (is === 'gone') return 'It answered 410 Gone.';
  return hasFailedForGood(health, now)
    ? 'Every attempt failed for more than five days, and no fewer than ten did.'
    : undefined;
};

interface Brought {
  sent: Sent;
  meaning: Meaning;
  sha256: string;
}

async function attemptResult(
  workItem: WorkItem<DeliveryContent>,
  receiver: DeliveryTarget,
  run: AttemptRun,
  { sent, meaning, sha256 }: Brought,
): Promise<AttemptResult<DeliveryContent>> {
  const { retryAfter: _, ...details } = sent;
  const attempt: DeliveryAttempt = { ...details, sha256 };
  if (meaning.is === 'delivered') return { status: 'delivered', attempt: { ...attempt } };
  if (meaning.is === 'gone') return { status: 'failed', attempt: { ...attempt } };
  const { pauseUntil: pauseQueueUntil } = meaning;
  const number = workItem.attempts.filter(isScheduled).length + 1;
  const next = nextAttempt({ number, createdAt: new Date(workItem.createdAt) }, run.now);
  // What becomes of the schedule is not for the attempt to say that is no part of it.
  if (run.once || next) return { again: next ?? run.now, attempt: { ...attempt }, pauseQueueUntil };
  return { ...(await given(workItem, receiver, run, attempt)), pauseQueueUntil };
}

/** Gives a delivery up. */
async function given(
  { content }: WorkItem<DeliveryContent>,
  { workQueue, webhook }: DeliveryTarget,
  run: Run,
  attempt: DeliveryAttempt,
): Promise<{ status: 'failed'; attempt: Record<string, unknown>; writes: Write[] }> {
  const error = attempt.error ?? `It answered ${attempt.status}.`;
  const writes = await countExhausted(workQueue, webhook.id, { ...content, error }, run);
  return { status: 'failed', attempt: { ...attempt }, writes };
}
