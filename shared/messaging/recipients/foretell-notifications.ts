import { busy } from '../../errors.ts';
import type { Event } from '../../events/envelope.ts';
import type { Channel } from '../../people/users/channels.ts';
import type { Reads } from '../../table/read.ts';
import { shortAudience } from './fan-out.ts';
import { findHearings } from './find-hearings.ts';
import type { Hearing, SentReason } from './who-hears.ts';

/** Whom an event would be handed over for, on which channels and why. */
export interface ForetoldNotification {
  /** Its email. */
  user: string;
  channels: Channel[];
  reason: SentReason;
}

/**
 * Who would hear of these events, event by event, as fan-out decides it, by what these reads find. Throws `busy` past the
 * deadline, in milliseconds since 1970.
 */
export async function foretellNotifications(
  events: readonly Event[],
  reads: Reads,
  deadline: number,
): Promise<ForetoldNotification[]> {
  const foretold: ForetoldNotification[] = [];
  for (const event of events) {
    let after: number | undefined = 0;
    while (after !== undefined) {
      if (Date.now() >= deadline) throw busy();
      const { hearings, upTo } = await findHearings(event, shortAudience, after, reads);
      foretold.push(...hearings.flatMap(foretoldTo));
      after = upTo;
    }
  }
  return foretold;
}

/** What one user would hear: once for each reason. */
function foretoldTo({ userId, email, channels }: Hearing): ForetoldNotification[] {
  const byReason = new Map<SentReason, Channel[]>();
  for (const one of channels)
    if (one.outcome === 'sent') byReason.set(one.reason, [...(byReason.get(one.reason) ?? []), one.channel]);
  return [...byReason].map(([reason, sent]) => ({ user: email ?? String(userId), channels: sent, reason }));
}
