import type { SendOutcome } from '../../channels/send-outcome.ts';
import type { AttemptResult } from '../../work-queue/work-handler.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import type { LeftOutReason } from '../recipients/decide-recipients.ts';

/** The minutes between consecutive attempts. */
const gaps = [1, 5, 30, 120, 360] as const;

export type UnsentReason =
  | LeftOutReason
  | 'no_event'
  | 'no_user'
  | 'no_invitation'
  | 'too_late'
  | 'over_limit'
  | 'empty';

export const notSent = (reason: UnsentReason): AttemptResult<never> => ({
  status: 'cancelled',
  attempt: { outcome: 'not_sent', reason },
});

/** The result for a message that may have been sent and must not be sent again. */
export const unknownForGood = (reason: string): AttemptResult<never> => ({
  status: 'failed',
  attempt: { outcome: 'unknown', reason },
});

interface Repeats {
  now: Date;
  unknownBefore: number;
  repeatUnknown: number;
}

/**
 * Returns the result of an attempt to send. `refused` is final and does not count toward the circuit breaker
 * of the work queue. All other failures count. `sender_refused` and `later` are retried for the whole
 * schedule. `unknown` is retried at most `repeatUnknown` times.
 */
export function attemptResult(
  sent: SendOutcome,
  { attempts }: Pick<WorkItem, 'attempts'>,
  { now, unknownBefore, repeatUnknown }: Repeats,
): AttemptResult<never> {
  const attempt = { ...sent };
  if (sent.outcome === 'sent') return { status: 'delivered', attempt };
  const details = { attempt, ...(sent.outcome === 'refused' && { ownFault: true as const }) };
  const retries = {
    refused: false,
    sender_refused: true,
    later: true,
    unknown: unknownBefore < repeatUnknown,
  };
  const gap = retries[sent.outcome] ? gaps[attempts.length] : undefined;
  if (gap === undefined) return { status: 'failed', ...details };
  return { again: new Date(now.getTime() + gap * 60_000), ...details };
}
