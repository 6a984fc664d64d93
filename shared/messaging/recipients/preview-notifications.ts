import type { SentReason } from '../../channels/channel.ts';
import type { ChannelName } from '../../channels/channels.ts';
import { busy } from '../../errors.ts';
import type { Event } from '../../events/envelope.ts';
import type { Reads } from '../../table/read.ts';
import type { RecipientDecision } from './decide-recipients.ts';
import { maxInlineCandidates } from './fan-out.ts';
import { findRecipients } from './find-recipients.ts';

export interface PreviewedNotification {
  user: string;
  channels: ChannelName[];
  reason: SentReason;
}

/**
 * Lists the users that fan-out would notify of each event, in the order of the events. Throws `busy` after
 * `deadline`, in milliseconds since 1970.
 */
export async function previewNotifications(
  events: readonly Event[],
  reads: Reads,
  deadline: number,
): Promise<PreviewedNotification[]> {
  const previewed: PreviewedNotification[] = [];
  for (const event of events) {
    let after: number | undefined = 0;
    while (after !== undefined) {
      if (Date.now() >= deadline) throw busy();
      const { decisions, upTo } = await findRecipients(event, maxInlineCandidates, after, reads);
      previewed.push(...decisions.flatMap(previewedTo));
      after = upTo;
    }
  }
  return previewed;
}

function previewedTo({ userId, email, channels }: RecipientDecision): PreviewedNotification[] {
  const byReason = new Map<SentReason, ChannelName[]>();
  for (const one of channels)
    if (one.outcome === 'sent') byReason.set(one.reason, [...(byReason.get(one.reason) ?? []), one.channel]);
  return [...byReason].map(([reason, sent]) => ({ user: email ?? String(userId), channels: sent, reason }));
}
