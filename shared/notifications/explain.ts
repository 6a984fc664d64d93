import { type Entry, entryIn } from '../backlogs/entry.ts';
import type { Event } from '../events/envelope.ts';
import { mintedAt } from '../id/mint.ts';
import type { Place } from '../inbox/rules.ts';
import type { Static } from '../schema.ts';
import { type Item, isExpired, recordOf } from '../table/item.ts';
import { arrivalKey, backlogEntryKey, type Key } from '../table/keys.ts';
import { getItems } from '../table/read.ts';
import type { Channel } from '../users/channels.ts';
import { ownRules } from '../users/own-rules.ts';
import type { StoredUser } from '../users/schema.ts';
import { entryName } from './entry-name.ts';
import { type ExplainedChannel, type Explanation, explainedReasons } from './explanation.ts';
import { readHearingMembers } from './find-hearings.ts';
import type { Message } from './hand-over.ts';
import { type Outcome, whoHears } from './who-hears.ts';

/**
 * Why a user heard, or did not hear, of an event: what each channel has on record, and where it has nothing what the rules,
 * memberships and roles of this moment would decide. Throws what reading the table throws.
 */
export async function explain(
  event: Event,
  user: StoredUser,
  now: Date,
): Promise<Static<typeof Explanation>> {
  const rule = ownRules(user, event.accountId).get(event.kind);
  const [members, records] = await Promise.all([
    readHearingMembers(event, new Map([[user.id, rule]])),
    readRecords(event, user.id, now),
  ]);
  const [hearing] = whoHears(event, members);
  if (!hearing) throw new Error('Nothing was decided for the only candidate');
  return {
    eventId: event.id,
    user: user.email,
    decidedBy: hearing.decidedBy,
    channels: hearing.channels.map((decided) => records.get(decided.channel)?.(decided) ?? anew(decided)),
  };
}

type Explained = Static<typeof ExplainedChannel>;

const anew = ({ channel, outcome, reason }: Outcome): Explained => ({
  channel,
  outcome,
  reason,
  at: null,
  basis: 'decided_anew',
});

/** The channels that leave a record of an event and a user. A digest keeps rows alone: those are decided anew. */
const recorded = ['website', 'email', 'sms'] as const satisfies readonly Channel[];

function recordKeyOf(
  channel: (typeof recorded)[number],
  { accountId: account, id }: Event,
  userId: number,
): Key {
  if (channel === 'website') return arrivalKey({ account, userId }, id);
  return backlogEntryKey(account, channel === 'email' ? 'MAIL' : 'SMS', entryName(id, userId));
}

type Telling = (decided: Outcome) => Explained;

/** By channel, what its record says; nothing where there is none. */
async function readRecords(event: Event, userId: number, now: Date): Promise<Map<Channel, Telling>> {
  const items = await getItems(recorded.map((channel) => recordKeyOf(channel, event, userId)));
  const found = recorded.map((channel, index): [Channel, Telling | undefined] => [
    channel,
    channel === 'website' ? arrivalIn(items[index], now) : messageIn(channel, items[index], now),
  ]);
  return new Map(found.flatMap(([channel, telling]) => (telling ? [[channel, telling] as const] : [])));
}

/** An arrival says when, and not why: that is told where the rules still say so. */
function arrivalIn(item: Item | undefined, now: Date): Telling | undefined {
  if (!item || isExpired(item, now)) return undefined;
  const at = mintedAt(recordOf<Place>(item).position).toISOString();
  return ({ channel, outcome, reason }) => ({
    channel,
    outcome: 'sent',
    reason: outcome === 'sent' ? reason : 'rule_changed',
    at,
    basis: 'record',
  });
}

const outcomes = {
  waiting: 'waiting',
  delivered: 'sent',
  failed: 'not_delivered',
  cancelled: 'not_delivered',
} as const satisfies Record<Entry['status'], Explained['outcome']>;

function messageIn(channel: Channel, item: Item | undefined, now: Date): Telling | undefined {
  const entry = entryIn<Message>(item, now);
  if (!entry) return undefined;
  const { status, content, attempts, due, createdAt } = entry;
  const last = attempts.at(-1);
  const outcome = outcomes[status];
  const said = explainedReasons.find(
    (reason) => reason === (last?.outcome === 'unknown' ? 'unknown' : last?.reason),
  );
  return () => ({
    channel,
    outcome,
    reason: outcome === 'not_delivered' ? (said ?? 'refused') : content.reason,
    at: (status === 'waiting' ? due : last?.at) ?? createdAt,
    basis: 'record',
  });
}
