import { createHash } from 'node:crypto';
import { eventKey } from '../../events/keys.ts';
import { eventInItem } from '../../events/read-event.ts';
import { apiKeys } from '../../people/apikeys/store.ts';
import { openDataKeys } from '../../security/data-keys.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { type WorkQueue, webhookOf } from '../../work-queue/keys.ts';
import type { AttemptResult, AttemptRun, Run, WorkHandler } from '../../work-queue/work-handler.ts';
import { isScheduled, type WorkItem } from '../../work-queue/work-item.ts';
import { countExhausted } from './announce-failures.ts';
import type { DeliveryAttempt, DeliveryContent } from './delivery.ts';
import { disableWebhook } from './disable-webhook.ts';
import { webhookHealthKey } from './keys.ts';
import { payloadOf } from './payload.ts';
import { lifetime, type Meaning, meaningOf, nextAttempt } from './retry-schedule.ts';
import { mayUseExternalApi } from './rules.ts';
import type { StoredHealth, StoredWebhook } from './schema.ts';
import { decryptSecrets } from './secrets.ts';
import { type Sent, send } from './send.ts';
import { messageIdOf, signedHeaders } from './signature.ts';
import { webhooks } from './store.ts';
import { includesHappening, isAllowed, permissionsNow } from './subscriptions.ts';
import { hasFailedTooLong, storeHealth } from './watch-health.ts';

/** The webhook that a run delivers to. Each attempt updates this object. */
interface DeliveryTarget {
  workQueue: WorkQueue;
  webhook: StoredWebhook;
  secrets: string[];
  /** The stored health after all attempts so far. */
  health: Promise<StoredHealth>;
}

/** Handles a webhook's work queue: each attempt posts the signed event of a delivery. */
export const deliveries: WorkHandler<DeliveryContent, DeliveryTarget> = {
  async prepare(workQueue, { now, deadline }) {
    const { account } = workQueue;
    const withHealth = await webhooks.findWithHealth(account, webhookOf(workQueue) ?? 0);
    if (!withHealth) return 'cancel all';
    const { webhook, health } = withHealth;
    const keys = await openDataKeys({ account, keep: false, deadline });
    const secrets = await decryptSecrets(webhook, keys, now);
    return { workQueue, webhook, secrets, health: Promise.resolve(health) };
  },

  // An inactive webhook gets only test events and the redeliveries that a user requested.
  cancels: ({ webhook }) => !webhook.active,
  spares: ({ content }, { once }) => once || content.kind === 'webhook_test',

  async attempt(workItem, receiver, run) {
    // Cancels deliveries of kinds and happenings that were removed from the webhook. Otherwise, a caller who may not read
    // such a kind could remove the kind, change the URL and receive the event.
    if (!run.once && !isSubscribed(receiver.webhook, workItem.content)) return { status: 'cancelled' };
    const tooLate = !run.once && run.now.getTime() > Date.parse(workItem.createdAt) + lifetime;
    if (tooLate) return exhausted(workItem, receiver, run, { error: 'too_late', durationMs: 0 });
    const { webhook, workQueue } = receiver;
    const { account } = workQueue;
    const { eventId, limited } = workItem.content;
    const { externalKeyId } = webhook;
    const [item, permissions, key] = await inParallel([
      getItem(eventKey(account, eventId)),
      limited ? permissionsNow(account) : undefined,
      externalKeyId === undefined ? undefined : apiKeys.find(account, externalKeyId),
    ]);
    const event = eventInItem(item ?? {});
    // The event has expired.
    if (!event) return { status: 'cancelled' };
    const isKeyAllowed = externalKeyId === undefined || mayUseExternalApi(key, run.now);
    if (!isKeyAllowed || !isAllowed({ keyId: externalKeyId }, event, permissions))
      return { status: 'cancelled', attempt: { error: 'permission_denied', durationMs: 0 } };
    const body = payloadOf(event, webhook);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'merchant-ops-webhooks/1',
      ...signedHeaders(body, receiver.secrets, messageIdOf(event), run.now),
    };
    const sent = await send({ url: webhook.url, headers, body }, { signal: run.signal });
    const end = new Date(run.now.getTime() + sent.durationMs);
    const meaning = meaningOf(sent, end);
    const sha256 = createHash('sha256').update(body).digest('hex');
    await updateHealth(receiver, webhook, { sent, meaning }, { ...run, now: end });
    return attemptResult(workItem, receiver, { ...run, now: end }, { sent, meaning, sha256 });
  },
};

const isSubscribed = ({ events, happenings }: StoredWebhook, content: DeliveryContent): boolean =>
  content.kind === 'webhook_test' ||
  (events.includes(content.kind) && includesHappening(happenings, content));

/**
 * Stores the health of the webhook after a response. Disables the webhook if it responded with 410 or has failed for
 * too long. `asked` is the webhook as it was when the attempt started.
 */
async function updateHealth(
  receiver: DeliveryTarget,
  asked: StoredWebhook,
  { sent, meaning }: Pick<AttemptResponse, 'sent' | 'meaning'>,
  run: Run,
): Promise<void> {
  const of = { succeeded: meaning.is === 'delivered', now: run.now };
  const { accountId, id } = receiver.webhook;
  const place = { ...webhookHealthKey(accountId, id), type: 'webhook-health' };
  // Concurrent attempts update the health one after the other.
  receiver.health = receiver.health.then(
    (known) => storeHealth(place, known, sent, of),
    () => storeHealth(place, {}, sent, of),
  );
  const reason = reasonToDisable(meaning, await receiver.health, run.now);
  if (!reason || !receiver.webhook.active) return;
  const webhook = await disableWebhook(asked, reason, run);
  if (webhook) receiver.webhook = webhook;
}

const reasonToDisable = ({ is }: Meaning, health: StoredHealth, now: Date): string | undefined => {
  if (is === 'gone') return 'The endpoint responded with 410 Gone.';
  return hasFailedTooLong(health, now)
    ? 'At least ten attempts failed in a row, over more than five days.'
    : undefined;
};

interface AttemptResponse {
  sent: Sent;
  meaning: Meaning;
  sha256: string;
}

async function attemptResult(
  workItem: WorkItem<DeliveryContent>,
  receiver: DeliveryTarget,
  run: AttemptRun,
  { sent, meaning, sha256 }: AttemptResponse,
): Promise<AttemptResult<DeliveryContent>> {
  const { retryAfter: _, ...details } = sent;
  const attempt: DeliveryAttempt = { ...details, sha256 };
  if (meaning.is === 'delivered') return { status: 'delivered', attempt: { ...attempt } };
  if (meaning.is === 'gone') return { status: 'failed', attempt: { ...attempt } };
  const { pauseUntil: pauseWorkQueueUntil } = meaning;
  const number = workItem.attempts.filter(isScheduled).length + 1;
  const next = nextAttempt({ number, createdAt: new Date(workItem.createdAt) }, run.now);
  // An attempt that a user requested does not end the retry schedule.
  if (run.once || next) return { again: next ?? run.now, attempt: { ...attempt }, pauseWorkQueueUntil };
  return { ...(await exhausted(workItem, receiver, run, attempt)), pauseWorkQueueUntil };
}

async function exhausted(
  { content }: WorkItem<DeliveryContent>,
  { workQueue, webhook }: DeliveryTarget,
  run: Run,
  attempt: DeliveryAttempt,
): Promise<{ status: 'failed'; attempt: Record<string, unknown>; writes: Write[] }> {
  const error = attempt.error ?? `The endpoint responded with ${attempt.status}.`;
  const writes = await countExhausted(workQueue, webhook.id, { ...content, error }, run);
  return { status: 'failed', attempt: { ...attempt }, writes };
}
