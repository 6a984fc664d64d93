import type { Event } from '../../events/envelope.ts';
import type { Channel } from '../../people/users/channels.ts';
import type { RecipientDecision, SentReason } from './decide-recipients.ts';
import { findRecipients } from './find-recipients.ts';

/** A user whom an event is handed over for. */
interface Recipient {
  userId: number;
  email?: string;
  reason: SentReason;
}

interface FanOutRun {
  now: Date;
  /** Milliseconds since 1970. */
  deadline: number;
}

/** How an event gets onto a channel, for one user. Handing the same event over twice does what doing so once does. */
export type HandOver = (addressee: Recipient, event: Event, run: FanOutRun) => Promise<void>;

/** What comes of an event: the channels of those who hear of it, and the long work that it leaves behind. */
export interface FanOut {
  channels: Readonly<Record<Channel, HandOver>>;
  /** An event that more than `maxInlineCandidates` may hear of is told to them by `notifyNext`, part by part. */
  openFanOutJob: (event: Event, run: FanOutRun) => Promise<void>;
  /** Somebody's rows in the account's audiences are not what they are to be. */
  openRewriteJob: (
    event: Event,
    marker: { id: number; version: number; at: string },
    run: FanOutRun,
  ) => Promise<void>;
}

/** So many candidates are told within the message of the event. */
export const maxInlineCandidates = 250;
/** So many are told in one part of long work, well within a worker's run. */
export const candidatesPerStep = 100;
/** So many are handed over side by side. */
const atOnce = 25;

/** Tells everybody who hears of an event, or opens the long work of doing so. */
export async function fanOut(event: Event, out: FanOut, run: FanOutRun): Promise<void> {
  const { decisions, upTo, marker } = await findRecipients(event, maxInlineCandidates);
  await (upTo === undefined ? handOver(event, decisions, out, run) : out.openFanOutJob(event, run));
  // Last: an event is told whether or not the rows can be rewritten.
  if (marker) await out.openRewriteJob(event, marker, run);
}

/** Tells the next part of a long audience behind a user, and returns the last of it; undefined when all were told. */
export async function notifyNext(
  event: Event,
  after: number,
  out: Pick<FanOut, 'channels'>,
  run: FanOutRun,
): Promise<number | undefined> {
  const { decisions, upTo } = await findRecipients(event, candidatesPerStep, after);
  await handOver(event, decisions, out, run);
  return upTo;
}

/** Hands an event over on every channel that was decided. One that fails stops no other, and then fails the whole. */
async function handOver(
  event: Event,
  decisions: readonly RecipientDecision[],
  { channels }: Pick<FanOut, 'channels'>,
  run: FanOutRun,
): Promise<void> {
  const sends = decisions.flatMap(({ userId, email, channels: outcomes }) =>
    outcomes.flatMap((one) =>
      one.outcome === 'sent'
        ? [() => channels[one.channel]({ userId, email, reason: one.reason }, event, run)]
        : [],
    ),
  );
  const failures: unknown[] = [];
  for (let start = 0; start < sends.length; start += atOnce) {
    const settled = await Promise.allSettled(sends.slice(start, start + atOnce).map((send) => send()));
    failures.push(...settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
}
