import { createHash } from 'node:crypto';
import type { AccountId } from '../id/account-id.ts';
import { lifetime, type Meaning, meaningOf, nextAttempt } from '../messaging/webhooks/retry-schedule.ts';
import type { StoredHealth } from '../messaging/webhooks/schema.ts';
import { decryptSecrets } from '../messaging/webhooks/secrets.ts';
import { type Sent, send } from '../messaging/webhooks/send.ts';
import { signedHeaders } from '../messaging/webhooks/signature.ts';
import { storeHealth } from '../messaging/webhooks/watch-health.ts';
import { type DataKeys, openDataKeys } from '../security/data-keys.ts';
import type { AttemptResult, AttemptRun, WorkHandler } from '../work-queue/work-handler.ts';
import { isScheduled, type WorkItem } from '../work-queue/work-item.ts';
import { exchangeOf, type PartnerExchange } from './exchanges.ts';
import { connectionHealthKey } from './keys.ts';
import type { PartnerRequestContent } from './partner-request.ts';
import { connections, type StoredConnection } from './store.ts';

/** The partner that a run sends requests to. */
interface Partner {
  account: AccountId;
  /** Undefined if the connection was deleted. Then every waiting request fails. */
  connection: StoredConnection | undefined;
  secrets: string[];
  keys: DataKeys;
  /** The stored health after all attempts so far. */
  health: Promise<StoredHealth>;
}

/** The statuses of a refusal, which is final. Other 4xx statuses may have a cause that ends, such as a wrong secret. */
const refusals = new Set([400, 409, 410, 413, 422]);
/** The time after which a repeated request that failed is sent again, in milliseconds. */
const repeatDelay = 3_600_000;
/** The longest response that is read, in bytes. */
const longestResponse = 64 * 1024;

/**
 * Handles the work queue of requests to the partner. The attempts follow the schedule of webhooks. An outcome is
 * committed with its events before the work item ends, and a repeated attempt finds it. So no event is lost or repeated.
 */
export const partnerRequestHandler: WorkHandler<PartnerRequestContent, Partner> = {
  async prepare({ account }, { now, deadline }) {
    const found = await connections.findWithHealth(account);
    // If the connection is activated, its work queue runs again.
    if (found && !found.connection.active) return 'not now';
    const keys = await openDataKeys({ account, keep: false, deadline });
    const secrets = found ? await decryptSecrets(found.connection, keys, now) : [];
    const health = Promise.resolve(found?.health ?? {});
    return { account, connection: found?.connection, secrets, keys, health };
  },

  async attempt(workItem, partner, run) {
    const { account, connection, keys } = partner;
    const exchange = await exchangeOf(workItem.content, { account, connection, keys, run });
    if (!exchange) return { status: 'cancelled' };
    if (exchange.notBefore) return { content: workItem.content, again: exchange.notBefore };
    if (!connection) return failed(exchange, 'The connection to the partner was deleted.', noAttempt);
    if (!exchange.repeatAt && run.now.getTime() > Date.parse(workItem.createdAt) + lifetime)
      return failed(exchange, 'The partner could not be reached for four days.', noAttempt);
    const { sent, sha256 } = await post(workItem.id, exchange, { ...partner, connection }, run);
    const end = new Date(run.now.getTime() + sent.durationMs);
    const meaning = meaningOf(sent, end);
    await updateHealth(partner, sent, meaning, end);
    return resultOf(workItem, exchange, { sent, meaning, sha256 }, { ...run, now: end });
  },
};

const noAttempt = { durationMs: 0 };

/** The message id of a work item. The partner’s own ids must not begin with `mo_`. */
const partnerMessageId = (account: AccountId, workItemId: string): string => `mo_${account}_${workItemId}`;

async function post(
  workItemId: string,
  { method, path, body }: PartnerExchange,
  { account, connection, secrets }: Partner & { connection: StoredConnection },
  { now, signal }: AttemptRun,
) {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const id = partnerMessageId(account, workItemId);
  const headers = {
    ...(method === undefined && { 'content-type': 'application/json; charset=utf-8', 'idempotency-key': id }),
    'user-agent': 'merchant-ops-partner/1',
    ...signedHeaders(bytes, secrets, id, now),
  };
  const url = `${connection.url.replace(/\/$/, '')}${path}`;
  const sent = await send(
    { url, headers, method, ...(method === undefined && { body: bytes }), keep: longestResponse },
    { signal },
  );
  return { sent, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function updateHealth(partner: Partner, sent: Sent, meaning: Meaning, now: Date): Promise<void> {
  // A refusal concerns one request. The connection works.
  const succeeded = meaning.is === 'delivered' || refusals.has(sent.status ?? 0);
  const place = { ...connectionHealthKey(partner.account), type: 'partner-health' };
  // Concurrent attempts update the health one after the other.
  const store = (known: StoredHealth) => storeHealth(place, known, sent, { succeeded, now });
  partner.health = partner.health.then(store, () => store({}));
  await partner.health;
}

const pauseOf = (meaning: Meaning): Date | undefined =>
  meaning.is === 'failed' ? meaning.pauseUntil : undefined;

interface PartnerResponse {
  sent: Sent;
  meaning: Meaning;
  sha256: string;
}

async function resultOf(
  workItem: WorkItem<PartnerRequestContent>,
  exchange: PartnerExchange,
  { sent, meaning, sha256 }: PartnerResponse,
  run: AttemptRun,
): Promise<AttemptResult<PartnerRequestContent>> {
  // The response is not stored, because it may repeat sensitive values.
  const { retryAfter: _, response = '', ...details } = sent;
  const attempt = { ...details, sha256 };
  if (meaning.is === 'delivered') {
    const fault = await exchange.accept(response, run);
    const again = fault === undefined && (await exchange.repeatAt?.(run.now));
    if (again) return { content: workItem.content, again };
    return fault === undefined ? { status: 'delivered', attempt } : failed(exchange, fault, attempt);
  }
  const reason = reasonOf(sent);
  // A repeated request continues after each failure except 404, and its attempts are not listed.
  if (exchange.repeatAt && sent.status !== 404)
    return { again: new Date(run.now.getTime() + repeatDelay), pauseWorkQueueUntil: pauseOf(meaning) };
  if (refusals.has(sent.status ?? 0)) return failed(exchange, reason, attempt);
  const pauseWorkQueueUntil = pauseOf(meaning);
  const number = workItem.attempts.filter(isScheduled).length + 1;
  const next = nextAttempt({ number, createdAt: new Date(workItem.createdAt) }, run.now);
  if (next) return { again: next, attempt, pauseWorkQueueUntil };
  return { status: 'failed', attempt, events: await exchange.fail(reason), pauseWorkQueueUntil };
}

/** Records a failure of this request only, which does not count for the circuit breaker. */
async function failed(
  exchange: PartnerExchange,
  reason: string,
  attempt: Record<string, unknown>,
): Promise<AttemptResult<PartnerRequestContent>> {
  const events = await exchange.fail(reason);
  return { status: 'failed', attempt: { ...attempt }, events, ownFault: true };
}

/** Describes a failure. Uses only the field `error` of the response, and only if it is a code. */
function reasonOf({ status, error, response = '' }: Sent): string {
  if (status === undefined) return `The partner could not be reached: ${error}.`;
  const [, code] = /^\s*\{[\s\S]*?"error"\s*:\s*"([a-z][a-z_]{0,59})"/.exec(response) ?? [];
  return `The partner responded with ${status}${code ? ` (${code})` : ''}.`;
}
