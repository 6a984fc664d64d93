import type { ChannelName } from '../../channels/channels.ts';
import { digestMail } from '../../channels/compose-mail.ts';
import { mail } from '../../channels/mail.ts';
import { channelTerms } from '../../channels/terms.ts';
import type { Event } from '../../events/envelope.ts';
import { eventKey } from '../../events/keys.ts';
import { happeningOf } from '../../events/kinds.ts';
import { eventInItem } from '../../events/read-event.ts';
import { ifApplies, ownRules } from '../../people/users/own-rules.ts';
import { users } from '../../people/users/store.ts';
import { getItems, queryItems } from '../../table/read.ts';
import type { AttemptResult, AttemptRun } from '../../work-queue/work-handler.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import { decideRecipients } from '../recipients/decide-recipients.ts';
import { readCandidates } from '../recipients/find-recipients.ts';
import { render } from '../recipients/templates.ts';
import { readSubjectRecords } from '../subjects/read-subject-records.ts';
import { addToDigest, eventsAtOnce } from './add-to-digest.ts';
import { beginSending } from './begin-sending.ts';
import type { Cadence, UsersDigest } from './digest-period.ts';
import { digestPartition, digestRowsOf, readDigestRowKey } from './keys.ts';
import { messageServices } from './message-services.ts';
import { newsOf } from './news-of.ts';
import type { SendingRun } from './read-sender.ts';
import { attemptResult, notSent, type UnsentReason, unknownForGood } from './send-result.ts';

/** The number of events that a digest shows; further events are only counted. */
const mostShown = 100;
/**
 * Only this number of the newest events is checked against the user's inbox, rules and permissions. Older events are
 * only counted.
 */
const mostChecked = 1_000;

/** Reports whether a digest contains notifications of a channel. An hourly digest contains those of all messages. */
const contains = (cadence: Cadence, channel: ChannelName): boolean => {
  const { digest, queue } = channelTerms[channel];
  return cadence === 'hourly' ? queue !== undefined : digest === cadence;
};

/**
 * Sends a user's part of a digest. If the outcome is unknown or all retries failed, the mail is not sent again, and the
 * checked events move to the user's next digest. The events of a refused digest do not move, because every later digest
 * would also be refused, and each would contain more events.
 */
export async function sendDigest(
  workItem: WorkItem<UsersDigest>,
  { workQueue, sender }: SendingRun,
  run: AttemptRun,
): Promise<AttemptResult<never>> {
  const { digest: cadence, period, userId } = workItem.content;
  const { account } = workQueue;
  const partition = digestPartition({ account, cadence, period });
  const rows = await queryItems({ partition, sortKey: digestRowsOf(userId), newestFirst: true });
  const ids = rows.map(({ sk }) => readDigestRowKey(sk).eventId);
  const checked = ids.slice(0, mostChecked);
  const items = await getItems(checked.map((id) => eventKey(account, id)));
  const events = items.flatMap((item) => (item && eventInItem(item)) ?? []);
  const news = await newsOf({ account, userId }, events, run.now);
  const wanted = await stillWanted(news, userId, cadence);
  if ('unsent' in wanted) return notSent(wanted.unsent);
  const shown = wanted.events.slice(0, mostShown);
  const more = wanted.events.length - shown.length + ids.length - checked.length;

  const intoNext = async () => {
    const arrival = { account, cadence, timezone: sender.timezone, userId, leftBy: period };
    for (let n = 0; n < checked.length; n += eventsAtOnce)
      await addToDigest({ ...arrival, eventIds: checked.slice(n, n + eventsAtOnce) }, run);
  };
  const unknownBefore = await beginSending(workQueue, workItem);
  if (unknownBefore > 0) {
    await intoNext();
    return unknownForGood('in_next_digest');
  }
  const notifications = shown.map((event) => ({
    text: render(event, sender),
    occurredAt: event.occurredAt,
  }));
  const content = digestMail(cadence, notifications, more, sender);
  const sent = await mail.send(content, wanted.email, messageServices);
  const result = attemptResult(sent, workItem, { now: run.now, unknownBefore, repeatUnknown: 0 });
  const isOver = 'status' in result && result.status === 'failed';
  if (isOver && sent.outcome !== 'refused') await intoNext();
  return result;
}

/** Returns the events that this user may read and is subscribed to now, newest first, and the user's address. */
async function stillWanted(
  events: readonly Event[],
  userId: number,
  cadence: Cadence,
): Promise<{ email: string; events: Event[] } | { unsent: UnsentReason }> {
  const [first] = events;
  if (!first) return { unsent: 'empty' };
  const [member] = await readCandidates(first, new Map([[userId, undefined]]));
  if (member?.status !== 'active') return { unsent: member?.status ?? 'not_member' };
  const { email } = member;
  const user = email && (await users.findByEmailAcrossAccounts(email));
  if (!email || !user) return { unsent: 'no_address' };
  const rules = ownRules(user, first.accountId);
  const records = await readSubjectRecords(first.accountId, events, [member]);
  const wanted = events.filter((event) => {
    const [decision] = decideRecipients(
      event,
      [{ ...member, rule: ifApplies(rules.get(event.kind), happeningOf(event)) }],
      records,
    );
    return decision?.channels.some(
      ({ channel, outcome }) => outcome === 'sent' && contains(cadence, channel),
    );
  });
  return wanted.length > 0 ? { email, events: wanted } : { unsent: 'empty' };
}
