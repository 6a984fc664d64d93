import type { AttemptResult } from '../../work-queue/work-handler.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import type { LeftOutReason } from '../recipients/decide-recipients.ts';
import type { SendOutcome } from './send-outcome.ts';

/** Minutes after each attempt until the next one. After the last there is none. */
const gaps = [1, 5, 30, 120, 360] as const;

/** Why something was never handed over. */
export type UnsentReason =
  | LeftOutReason
  | 'no_event'
  | 'no_user'
  | 'no_address'
  | 'too_late'
  | 'over_limit'
  | 'empty';

/** It is not to be sent, and why is on record. */
export const notSent = (reason: UnsentReason): AttemptResult<never> => ({
  status: 'cancelled',
  attempt: { outcome: 'not_sent', reason },
});

/** Nobody knows whether it was sent, and it may not be sent once more. */
export const unknownForGood = (reason: string): AttemptResult<never> => ({
  status: 'failed',
  attempt: { outcome: 'unknown', reason },
});

/** How a send that did not succeed is repeated. */
interface Repeats {
  now: Date;
  /** How often nobody knew what came of a send before this one. */
  unknownBefore: number;
  /** So often what may have been sent is sent once more. */
  repeatUnknown: number;
}

/**
 * The verdict on an attempt to send. Only `refused` is final at once, and it is the work item's own fault. `sender_refused` and
 * `later` are retried for the whole schedule, and `unknown` at most `repeatUnknown` times. All three count as failures of
 * the work queue, so that its circuit breaker opens.
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
