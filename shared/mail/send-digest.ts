import type { Entry } from '../backlogs/entry.ts';
import type { AttemptRun, Verdict } from '../backlogs/work.ts';
import type { Event } from '../events/envelope.ts';
import { eventInItem } from '../events/read-event.ts';
import { readHearingMembers } from '../notifications/find-hearings.ts';
import { render } from '../notifications/templates.ts';
import { type HearingMember, whoHears } from '../notifications/who-hears.ts';
import { digestPartition, digestRowsOf, eventKey, readDigestRowKey } from '../table/keys.ts';
import { getItems, queryItems } from '../table/read.ts';
import type { Channel } from '../users/channels.ts';
import { ownRules } from '../users/own-rules.ts';
import { users } from '../users/store.ts';
import { addToDigest } from './add-to-digest.ts';
import { beginSending } from './begin-sending.ts';
import { digestMail } from './compose-mail.ts';
import type { Cadence } from './digest-period.ts';
import type { SendingRun } from './read-sender.ts';
import { sendMail } from './send-mail.ts';
import { notSent, unknownForGood, verdictOn } from './verdict-on.ts';

/** The content of an entry of mail that tells a user of all that is in its part of a digest. */
export interface UsersDigest {
  digest: Cadence;
  period: string;
  userId: number;
}

/** So many are told; the rest is counted. */
const mostTold = 100;
/** So many are judged, the newest; a user may still want and read what is behind them, or not. */
const mostJudged = 1_000;

/** By which channels what is in a digest was to come. */
const channelsOf: Readonly<Record<Cadence, readonly Channel[]>> = {
  hourly: ['email', 'sms'],
  weekly: ['weekly_email_digest'],
  monthly: ['monthly_email_digest'],
};

/**
 * Sends a user its part of a digest. It is begun once: what was refused goes out later, and of what may have been sent
 * nothing is sent again, but stands in the next digest.
 */
export async function sendDigest(
  entry: Entry<UsersDigest>,
  { backlog, sender }: SendingRun,
  run: AttemptRun,
): Promise<Verdict<never>> {
  const { digest: cadence, period, userId } = entry.content;
  const { account } = backlog;
  const partition = digestPartition({ account, cadence, period });
  const rows = await queryItems({ partition, sortKey: digestRowsOf(userId), newestFirst: true });
  const ids = rows.map(({ sk }) => readDigestRowKey(sk).eventId);
  const judged = ids.slice(0, mostJudged);
  const items = await getItems(judged.map((id) => eventKey(account, id)));
  const events = items.flatMap((item) => (item && eventInItem(item)) ?? []);
  const wanted = await stillWanted(events, userId, cadence);
  const member = wanted.member;
  if (!member?.email) return notSent(member ? 'no_address' : 'not_member');
  if (wanted.events.length === 0) return notSent('empty');
  const told = wanted.events.slice(0, mostTold);
  const more = wanted.events.length - told.length + ids.length - judged.length;

  const intoNext = async () => {
    const arrival = { account, cadence, timezone: sender.timezone, userId, leftBy: period };
    for (const eventId of ids) await addToDigest({ ...arrival, eventId }, run);
  };
  const unknownBefore = await beginSending(backlog, entry);
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
  const sent = await sendMail({ to: member.email, ...mail });
  if (sent.outcome === 'unknown') await intoNext();
  return verdictOn(sent, entry, { now: run.now, unknownBefore, repeatUnknown: 0 });
}

/** What of these events a user may read and wants to hear of now, the newest first, with the user as it is. */
async function stillWanted(
  events: readonly Event[],
  userId: number,
  cadence: Cadence,
): Promise<{ member?: HearingMember; events: Event[] }> {
  const [first] = events;
  if (!first) return { events: [] };
  const [member] = await readHearingMembers(first, new Map([[userId, undefined]]));
  if (member?.standing !== 'active' || !member.email) return { events: [] };
  const address = await users.addressByEmailAcrossAccounts(member.email);
  const user = address && (await users.find(address));
  if (!user) return { events: [] };
  const rules = ownRules(user, first.accountId);
  const wanted = events.filter((event) => {
    const [hearing] = whoHears(event, [{ ...member, rule: rules.get(event.kind) }]);
    return hearing?.channels.some(
      ({ channel, outcome }) => outcome === 'sent' && channelsOf[cadence].includes(channel),
    );
  });
  return { member, events: wanted };
}
