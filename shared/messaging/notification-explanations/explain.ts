import type { ChannelName } from '../../channels/channels.ts';
import { channelNames, channelTerms } from '../../channels/terms.ts';
import type { Event } from '../../events/envelope.ts';
import { happeningOf } from '../../events/kinds.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintedAt } from '../../id/mint.ts';
import { ifApplies, ownRules } from '../../people/users/own-rules.ts';
import type { StoredUser } from '../../people/users/schema.ts';
import {
  array,
  dateTime,
  nullable,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import { isExpired, recordOf } from '../../table/item.ts';
import type { Key } from '../../table/keys.ts';
import { getItems } from '../../table/read.ts';
import { workItemKey } from '../../work-queue/keys.ts';
import { type WorkItem, workItemId, workItemIn } from '../../work-queue/work-item.ts';
import { dueOf, type UsersDigest, usersDigestId } from '../messages/digest-period.ts';
import { messageQueueOf, type OutgoingMessage } from '../messages/hand-over.ts';
import { digestArrivalKey } from '../messages/keys.ts';
import { readSender } from '../messages/read-sender.ts';
import { arrivalKey } from '../notifications/keys.ts';
import type { NotificationPlace } from '../notifications/rules.ts';
import { type ChannelOutcome, decideRecipients } from '../recipients/decide-recipients.ts';
import { readCandidates } from '../recipients/find-recipients.ts';
import { readSubjectRecords } from '../subjects/read-subject-records.ts';

export const explainedReasons = [
  'own_rule',
  'assignee',
  'administrator',
  'user_concerned',
  'not_member',
  'inactive',
  'no_rule',
  'empty_preference',
  'not_chosen',
  'actor',
  'may_not_read',
  'may_not_read_notifications',
  'could_loop',
  'no_phone',
  'no_address',
  'too_late',
  'over_limit',
  'refused',
  'unknown',
  'rule_changed',
] as const;

export const NotificationExplanationQuery = object({
  user: optional(
    string({
      maxLength: 254,
      description: 'The email of a member of the account. Default: the caller.',
      examples: ['grace@example.com'],
    }),
  ),
});

const ExplainedChannel = object({
  channel: oneOf(channelNames),
  outcome: oneOf(['sent', 'waiting', 'not_delivered', 'left_out'], {
    description: 'If `basis` is `decided_anew`: the outcome under the current rules.',
  }),
  reason: oneOf(explainedReasons, {
    description:
      '`rule_changed`: the current rules would decide differently. `no_address`, `too_late`, `over_limit` (part of the mail at the end of the hour) and `refused`: not sent, for this reason. `unknown`: the notification may or may not have arrived.',
  }),
  at: nullable(
    dateTime({
      description:
        'When the notification arrived, was last attempted, or will be attempted. For a digest, when the digest was or will be sent. null if `basis` is `decided_anew`.',
    }),
  ),
  basis: oneOf(['record', 'decided_anew'], {
    description:
      '`decided_anew`: there is no record, because the channel was left out, the record has expired, or the event is not processed yet.',
  }),
});

export const NotificationExplanation = object({
  eventId: recordId(),
  user: string({ examples: ['ada@example.com'] }),
  decidedBy: oneOf(['account', 'default', 'service', 'none'], {
    description:
      'The rule that applies now: the user’s rule for this account, the user’s default rule, the service’s rule, or none.',
  }),
  channels: array(ExplainedChannel),
});

/**
 * Explains why a user was or was not notified of an event. Uses the stored record of each channel. For a
 * channel without a record, uses the current rules, memberships and roles.
 */
export async function explain(
  event: Event,
  user: StoredUser,
  now: Date,
): Promise<Static<typeof NotificationExplanation>> {
  const rule = ifApplies(ownRules(user, event.accountId).get(event.kind), happeningOf(event));
  const [members, records] = await Promise.all([
    readCandidates(event, new Map([[user.id, rule]])),
    readRecords(event, user.id, now),
  ]);
  const subjects = await readSubjectRecords(event.accountId, [event], members);
  const [decision] = decideRecipients(event, members, subjects);
  if (!decision) throw new Error('No decision for the only candidate');
  return {
    eventId: event.id,
    user: user.email,
    decidedBy: decision.decidedBy,
    channels: decision.channels.map(
      (decided) => records.get(decided.channel)?.(decided) ?? decidedAnew(decided),
    ),
  };
}

type ChannelExplanation = Static<typeof ExplainedChannel>;

const decidedAnew = ({ channel, outcome, reason }: ChannelOutcome): ChannelExplanation => ({
  channel,
  outcome,
  reason,
  at: null,
  basis: 'decided_anew',
});

type ExplainChannel = (decided: ChannelOutcome) => ChannelExplanation;

/** A user's part of a digest in which an event has arrived. */
interface ArrivedDigest extends UsersDigest {
  channel: ChannelName;
}

async function readRecords(
  event: Event,
  userId: number,
  now: Date,
): Promise<Map<ChannelName, ExplainChannel>> {
  const items = await getItems(
    channelNames.map((channel) => recordKeyOf(channelTerms[channel], event, userId)),
  );
  const records = new Map<ChannelName, ExplainChannel>();
  const arrived: ArrivedDigest[] = [];
  for (const [n, channel] of channelNames.entries()) {
    const item = items[n];
    if (!item || isExpired(item, now)) continue;
    const { digest, queue } = channelTerms[channel];
    const workItem = queue && workItemIn<OutgoingMessage>(item, now);
    if (digest) arrived.push({ channel, digest, period: String(item.period), userId });
    else records.set(channel, workItem ? messageIn(workItem) : arrivalIn(recordOf(item)));
  }
  return new Map([...records, ...(await readDigests(event.accountId, arrived, now))]);
}

/** The key of the item that records the arrival of an event on a channel. */
function recordKeyOf(
  { digest, queue }: (typeof channelTerms)[ChannelName],
  event: Event,
  userId: number,
): Key {
  const { accountId: account, id } = event;
  if (digest) return digestArrivalKey(account, digest, userId, id);
  if (queue) return workItemKey(messageQueueOf(event, userId, queue), workItemId(id, userId));
  return arrivalKey({ account, userId }, id);
}

/**
 * Explains the website channel from the arrival item, which does not contain the reason of the notification. If the
 * user would be notified now, the current reason is used, otherwise `rule_changed`.
 */
const arrivalIn = ({ position }: NotificationPlace): ExplainChannel =>
  sentAt(mintedAt(position).toISOString());

const sentAt =
  (at: string): ExplainChannel =>
  ({ channel, outcome, reason }) => ({
    channel,
    outcome: 'sent',
    reason: outcome === 'sent' ? reason : 'rule_changed',
    at,
    basis: 'record',
  });

function messageIn(workItem: WorkItem<OutgoingMessage>): ExplainChannel {
  const { status, content, attempts, due, createdAt } = workItem;
  const at = (status === 'waiting' ? due : attempts.at(-1)?.at) ?? createdAt;
  if (status === 'failed' || status === 'cancelled') return notDelivered(workItem);
  const outcome = status === 'waiting' ? 'waiting' : 'sent';
  return ({ channel }) => ({ channel, outcome, reason: content.reason, at, basis: 'record' });
}

const notDelivered =
  (
    { attempts, createdAt }: Pick<WorkItem, 'attempts' | 'createdAt'>,
    fallback?: ChannelExplanation['reason'],
  ): ExplainChannel =>
  ({ channel }) => {
    const last = attempts.at(-1);
    const stored = last?.outcome === 'unknown' ? 'unknown' : last?.reason;
    const reason = explainedReasons.find((one) => one === stored) ?? fallback ?? 'refused';
    return { channel, outcome: 'not_delivered', reason, at: last?.at ?? createdAt, basis: 'record' };
  };

async function readDigests(
  account: AccountId,
  arrived: readonly ArrivedDigest[],
  now: Date,
): Promise<[ChannelName, ExplainChannel][]> {
  if (arrived.length === 0) return [];
  const [{ timezone }, items] = await Promise.all([
    readSender(account),
    getItems(arrived.map((of) => workItemKey({ account, name: 'MAIL' }, usersDigestId(of)))),
  ]);
  return arrived.map(({ digest, channel, period }, n) => {
    const due = dueOf(digest, period, timezone).toISOString();
    return [channel, digestIn(workItemIn<UsersDigest>(items[n], now), due)];
  });
}

/** While a digest waits, uses the current rules, because the rules are checked again when the digest is sent. */
function digestIn(workItem: WorkItem<UsersDigest> | undefined, due: string): ExplainChannel {
  if (!workItem || workItem.status === 'waiting')
    return (decided) =>
      decided.outcome === 'sent'
        ? { ...decided, outcome: 'waiting', at: workItem?.due ?? due, basis: 'record' }
        : decidedAnew(decided);
  if (workItem.status === 'delivered') return sentAt(workItem.attempts.at(-1)?.at ?? workItem.createdAt);
  // The reason stored with an empty digest does not explain why this event was omitted, so the current reason is used.
  // If the event would be sent now, the reason is `rule_changed`.
  return (decided) =>
    notDelivered(workItem, decided.outcome === 'sent' ? 'rule_changed' : decided.reason)(decided);
}
