import { createHash } from 'node:crypto';
import type { RequestTrace } from '../../events/envelope.ts';
import { eventOf } from '../../events/event-of.ts';
import { commit } from '../../events/outbox.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintId } from '../../id/mint.ts';
import type { Write } from '../../table/operations.ts';
import { VersionConflict } from '../../table/transact.ts';
import { enqueueWrites } from '../../work-queue/enqueue.ts';
import type { Job } from '../../work-queue/jobs.ts';
import type { WorkQueue } from '../../work-queue/keys.ts';
import { passwordResetRequested } from './set-password.ts';
import { users } from './store.ts';

/** The content of a work item. The job removes the request, so that the address is not kept longer than necessary. */
interface ResetContent {
  job: 'request_reset';
  request?: { email: string; eventId: number; at: string; trace: RequestTrace };
}

/** If the job has not run after an hour, the request expires, because a token would be valid for an hour, too. */
const kept = 3_600_000;

/**
 * A request names no account, so its work item is in one of 16 work queues that belong to no account. The queues share
 * the load. Their number is fixed, so that requests for unknown addresses leave no items behind.
 */
const workQueueOf = (email: string): WorkQueue => {
  const [shard = ''] = createHash('sha256').update(email).digest('hex');
  return { account: `resets_${shard}` as AccountId, name: 'JOBS' };
};

/**
 * Returns the writes that request a reset mail. They do not depend on whether a user has the address: only the job looks
 * the user up. The duration of a request therefore does not show whether the user exists.
 */
export function resetRequestWrites(email: string, trace: RequestTrace, now: Date): Write[] {
  const eventId = mintId(now);
  const request = { email, eventId, at: now.toISOString(), trace };
  const content: ResetContent = { job: 'request_reset', request };
  const expires = new Date(now.getTime() + kept);
  return enqueueWrites(workQueueOf(email), { id: String(eventId), due: now, content, expires }, now);
}

/** Emits the event of a reset request, if a user has the address. The event causes the mail. */
export const requestReset: Job<ResetContent> = async ({ content: { job, request } }, _, { deadline }) => {
  const user = request && (await users.findByEmailAcrossAccounts(request.email));
  if (request && user) await emitOnce(user, request, deadline);
  return { status: 'delivered', content: { job } };
};

/** A repeated attempt uses the same event id, so that the user gets one mail. */
async function emitOnce(
  user: Parameters<typeof passwordResetRequested>[0],
  { eventId: id, at, trace }: NonNullable<ResetContent['request']>,
  deadline: number,
): Promise<void> {
  const actor = { user: user.email, apiKey: null };
  const context = { account: undefined, actor, now: new Date(at), request: trace };
  const events = passwordResetRequested(user).map((draft) => ({ ...eventOf(draft, context), id }));
  try {
    await commit({ writes: [], events, deadline });
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
  }
}
