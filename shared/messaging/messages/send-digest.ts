import type { Event } from '../../events/envelope.ts';
import { eventKey } from '../../events/keys.ts';
import { eventInItem } from '../../events/read-event.ts';
import type { Channel } from '../../people/users/channels.ts';
import { ownRules } from '../../people/users/own-rules.ts';
import { users } from '../../people/users/store.ts';
import { getItems, queryItems } from '../../table/read.ts';
import type { AttemptResult, AttemptRun } from '../../work-queue/work-handler.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import { decideRecipients } from '../recipients/decide-recipients.ts';
import { readCandidates } from '../recipients/find-recipients.ts';
import { render } from '../recipients/templates.ts';
import { addToDigest, eventsAtOnce } from './add-to-digest.ts';
import { beginSending } from './begin-sending.ts';
import { digestMail } from './compose-mail.ts';
import type { Cadence, UsersDigest } from './digest-period.ts';
import { digestPartition, digestRowsOf, readDigestRowKey } from './keys.ts';
import type { SendingRun } from './read-sender.ts';
import { sendMail } from './send-mail.ts';
import { attemptResult, notSent, type UnsentReason, unknownForGood } from './send-result.ts';

/** So many are told; the rest is counted. */
const mostShown = 100;
/** So many are judged, the newest; a user may still want and read what is behind them, or not. */
const mostChecked = 1_000;

/** By which channels what is in a digest was to come. */
const channelsOf: Readonly<Record<Cadence, readonly Channel[]>> = {
  hourly: ['email', 'sms'],
  weekly: ['weekly_email_digest'],
  monthly: ['monthly_email_digest'],
};

/**
 * Sends a user its part of a digest. A digest whose outcome is unknown is not sent again, and one that was retried for the
 * whole schedule is given up: its content is in the next digest. A digest that was refused because of its recipient or
 * content is final, and its content is not in the next one, which would be refused as well and grow each time.
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
  const judged = ids.slice(0, mostChecked);
  const items = await getItems(judged.map((id) => eventKey(account, id)));
  const events = items.flatMap((item) => (item && eventInItem(item)) ?? []);
  const wanted = await stillWanted(events, userId, cadence);
  if ('unsent' in wanted) return notSent(wanted.unsent);
  const told = wanted.events.slice(0, mostShown);
  const more = wanted.events.length - told.length + ids.length - judged.length;

  const intoNext = async () => {
    const arrival = { account, cadence, timezone: sender.timezone, userId, leftBy: period };
    for (let n = 0; n < judged.length; n += eventsAtOnce)
      await addToDigest({ ...arrival, eventIds: judged.slice(n, n + eventsAtOnce) }, run);
  };
  const unknownBefore = await beginSending(workQueue, workItem);
  if (unknownBefore > 0) {
    await intoNext();
    return unknownForGood('in_next_digest');
  }
  const mail = digestMail(
    cadence,
    told.map((event) => render(event, sender)),
    more,
    sender,
  );
  const sent = await sendMail({ to: wanted.email, ...mail });
  const result = attemptResult(sent, workItem, { now: run.now, unknownBefore, repeatUnknown: 0 });
  const isOver = 'status' in result && result.status === 'failed';
  if (isOver && sent.outcome !== 'refused') await intoNext();
  return result;
}

/** What of these events a user may read and wants to hear of now, the newest first, and where that goes. */
async function stillWanted(
  events: readonly Event[],
  userId: number,
  cadence: Cadence,
): Promise<{ email: string; events: Event[] } | { unsent: UnsentReason }> {
  const [first] = events;
  if (!first) return { unsent: 'empty' };
  const [member] = await readCandidates(first, new Map([[userId, undefined]]));
  if (member?.standing !== 'active') return { unsent: member?.standing ?? 'not_member' };
  const { email } = member;
  const address = email && (await users.addressByEmailAcrossAccounts(email));
  const user = address && (await users.find(address));
  if (!email || !user) return { unsent: 'no_address' };
  const rules = ownRules(user, first.accountId);
  const wanted = events.filter((event) => {
    const [decision] = decideRecipients(event, [{ ...member, rule: rules.get(event.kind) }]);
    return decision?.channels.some(
      ({ channel, outcome }) => outcome === 'sent' && channelsOf[cadence].includes(channel),
    );
  });
  return wanted.length > 0 ? { email, events: wanted } : { unsent: 'empty' };
}
