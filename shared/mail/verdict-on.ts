import type { Entry } from '../backlogs/entry.ts';
import type { Verdict } from '../backlogs/work.ts';
import type { LeftOutReason } from '../notifications/who-hears.ts';
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
export const notSent = (reason: UnsentReason): Verdict<never> => ({
  status: 'cancelled',
  attempt: { outcome: 'not_sent', reason },
});

/** Nobody knows whether it was sent, and it may not be sent once more. */
export const unknownForGood = (reason: string): Verdict<never> => ({
  status: 'failed',
  attempt: { outcome: 'unknown', reason },
});

/**
 * What comes of a send. A refusal is this entry's own fault and for good; what nobody took comes again, and so does what may
 * have been sent, unless that was so `unknownBefore` times already and once is the most.
 */
export function verdictOn(
  sent: SendOutcome,
  { attempts }: Pick<Entry, 'attempts'>,
  { now, unknownBefore, repeatUnknown }: { now: Date; unknownBefore: number; repeatUnknown: number },
): Verdict<never> {
  switch (sent.outcome) {
    case 'sent':
      return { status: 'delivered', attempt: { ...sent } };
    case 'refused':
      return { status: 'failed', attempt: { ...sent }, ownFault: true };
    default: {
      const gap = gaps[attempts.length];
      const isOver = sent.outcome === 'unknown' && unknownBefore >= repeatUnknown;
      if (gap === undefined || isOver) return { status: 'failed', attempt: { ...sent } };
      return { again: new Date(now.getTime() + gap * 60_000), attempt: { ...sent } };
    }
  }
}
