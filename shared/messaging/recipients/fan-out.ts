import type { SentReason } from '../../channels/channel.ts';
import type { ChannelName } from '../../channels/channels.ts';
import type { Event } from '../../events/envelope.ts';
import { currentReads } from '../../table/read.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import type { RecipientDecision } from './decide-recipients.ts';
import { findRecipients } from './find-recipients.ts';

interface Recipient {
  userId: number;
  email?: string;
  reason: SentReason;
}

/** Passes an event to a channel for one recipient. Idempotent. */
export type HandOver = (recipient: Recipient, event: Event, run: Run) => Promise<void>;

/** The channels of fan-out, and the jobs that it creates. */
export interface FanOut {
  channels: Readonly<Record<ChannelName, HandOver>>;
  /** Creates a job that notifies the recipients step by step with `notifyNext`. */
  openFanOutJob: (event: Event, run: Run) => Promise<void>;
  /** Creates a job that rewrites outdated rows of the account's subscriber index. */
  openRewriteJob: (
    event: Event,
    marker: { id: number; version: number; at: string },
    run: Run,
  ) => Promise<void>;
}

/** The maximum number of candidates that are notified without a job. */
export const maxInlineCandidates = 250;
/**
 * The number of candidates per step of a fan-out job. The number must be small enough for a worker to finish a step
 * within one run.
 */
const candidatesPerStep = 100;
const concurrency = 25;

/** Notifies all recipients of an event. For more than `maxInlineCandidates` candidates, creates a job instead. */
export async function fanOut(event: Event, out: FanOut, run: Run, reads = currentReads): Promise<void> {
  const { decisions, upTo, marker } = await findRecipients(event, maxInlineCandidates, undefined, reads);
  await (upTo === undefined ? handOver(event, decisions, out, run) : out.openFanOutJob(event, run));
  // Creates this job last, so that an error here does not delay notifications.
  if (marker) await out.openRewriteJob(event, marker, run);
}

/** Notifies candidates with ids above `after`. Returns the last candidate's id, or undefined if no more follow. */
export async function notifyNext(
  event: Event,
  after: number,
  out: Pick<FanOut, 'channels'>,
  run: Run,
): Promise<number | undefined> {
  const { decisions, upTo } = await findRecipients(event, candidatesPerStep, after);
  await handOver(event, decisions, out, run);
  return upTo;
}

/**
 * Passes an event to every channel whose outcome is `sent`. If a channel fails, continues with the others and throws
 * the first error at the end.
 */
async function handOver(
  event: Event,
  decisions: readonly RecipientDecision[],
  { channels }: Pick<FanOut, 'channels'>,
  run: Run,
): Promise<void> {
  const sends = decisions.flatMap(({ userId, email, channels: outcomes }) =>
    outcomes.flatMap((one) =>
      one.outcome === 'sent'
        ? [() => channels[one.channel]({ userId, email, reason: one.reason }, event, run)]
        : [],
    ),
  );
  const failures: unknown[] = [];
  for (let start = 0; start < sends.length; start += concurrency) {
    const settled = await Promise.allSettled(sends.slice(start, start + concurrency).map((send) => send()));
    failures.push(...settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
}
