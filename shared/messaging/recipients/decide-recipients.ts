import type { SentReason } from '../../channels/channel.ts';
import type { ChannelName } from '../../channels/channels.ts';
import { channelNames, channelTerms } from '../../channels/terms.ts';
import type { Event } from '../../events/envelope.ts';
import { happeningOf } from '../../events/kinds.ts';
import type { OwnRule } from '../../people/users/own-rules.ts';
import type { Permission } from '../../resources/registry.ts';
import type { Reaching } from '../../security/reach.ts';
import { mayReadEvent, permissionsToRead } from '../../security/read-permission.ts';
import { type SubjectRecords, subjectName } from '../subjects/read-subject-records.ts';
import { assigneeOf, type ServiceRule, serviceRulesFor, userConcernedBy } from './service-rules.ts';

/** A user who may be notified of an event, with everything that the decision depends on. */
export interface Candidate {
  userId: number;
  /** For users who are not members, set only if an invitation or the event contains the email. */
  email?: string;
  name?: string;
  phone?: string;
  /** `not_member` includes invited users who have not accepted the invitation. */
  status: 'active' | 'inactive' | 'not_member';
  administrator: boolean;
  permissions: ReadonlySet<Permission>;
  teamId?: number;
  managedTeamIds?: readonly number[];
  rule?: OwnRule;
}

export type LeftOutReason =
  | 'not_member'
  | 'inactive'
  | 'no_rule'
  | 'empty_preference'
  | 'not_chosen'
  | 'actor'
  | 'may_not_read'
  | 'may_not_read_notifications'
  | 'could_loop'
  | 'no_address'
  | 'no_phone';

export type ChannelOutcome =
  | { channel: ChannelName; outcome: 'sent'; reason: SentReason }
  | { channel: ChannelName; outcome: 'left_out'; reason: LeftOutReason };

export interface RecipientDecision {
  userId: number;
  email?: string;
  decidedBy: OwnRule['from'] | 'service' | 'none';
  channels: ChannelOutcome[];
}

/**
 * Decides who is notified of an event, on which channels and why. The user's rule for the account applies first, then
 * the user's default rule, then the service's rules. Fan-out, `explain` and dry runs all use this function. `records` are
 * the result of `readSubjectRecords`.
 */
export function decideRecipients(
  event: Event,
  candidates: readonly Candidate[],
  records: SubjectRecords,
): RecipientDecision[] {
  const rules = serviceRulesFor(event);
  return candidates.map((candidate) => {
    const matching = rules.filter(({ to }) => hasRole(to, event, candidate));
    const facts = {
      candidate,
      matching,
      couldLoop: couldLoop(event),
      isActor: event.actor.apiKey === null && personActing(event) === candidate.email,
      mayRead: mayReadEvent(
        readerOf(candidate),
        event,
        permissionsToRead(event, candidate.userId),
        records.get(subjectName(event)),
      ),
    };
    return {
      userId: candidate.userId,
      email: candidate.email,
      decidedBy: candidate.rule?.from ?? (matching.length > 0 ? 'service' : 'none'),
      channels: channelNames.map((channel) => outcomeOf(facts, channel)),
    };
  });
}

/**
 * Reports whether a mail about an event could cause the same event again: a bounce, a report or a quarantined mail. The
 * address of a user may forward to an address of the account, or reject mail.
 */
function couldLoop(event: Event): boolean {
  const happening = happeningOf(event);
  if (happening === 'mail_bounced' || happening === 'mail_quarantined') return true;
  const { detail } = event.data as { detail?: { state?: unknown } };
  return happening === 'mail_received' && detail?.state === 'report';
}

/** Returns a candidate as a reader of records. */
const readerOf = ({ userId: id, email = '', ...member }: Candidate): Candidate & Reaching => ({
  ...member,
  ...{ userId: id, email, kind: 'user' as const, id, actor: { user: email } },
});

/** The person who acted: the administrator, if the user was impersonated. */
const personActing = ({ actor }: Event): string => actor.impersonatedBy ?? actor.user;

interface DecisionFacts {
  candidate: Candidate;
  /** The service's rules that apply to the candidate. */
  matching: readonly ServiceRule[];
  couldLoop: boolean;
  isActor: boolean;
  mayRead: boolean;
}

function outcomeOf(
  { candidate, matching, couldLoop, isActor, mayRead }: DecisionFacts,
  channel: ChannelName,
): ChannelOutcome {
  const leftOut = (reason: LeftOutReason): ChannelOutcome => ({ channel, outcome: 'left_out', reason });
  const { email, status, rule, permissions } = candidate;
  const role = matching.find((one) => one.channels.includes(channel))?.to;
  // Ignores rules and memberships: invitations, and mail that shows that someone else changed or reset the password.
  // Without an address, the user is no longer related to the account.
  if (role === 'user_concerned' && email !== undefined) return { channel, outcome: 'sent', reason: role };
  if (status !== 'active') return leftOut(status);
  const subscribed = rule?.channels.includes(channel) ? 'own_rule' : undefined;
  const reason = rule ? subscribed : role;
  if (!reason)
    return leftOut(!rule ? 'no_rule' : rule.channels.length > 0 ? 'not_chosen' : 'empty_preference');
  if (!rule && isActor) return leftOut('actor');
  if (!mayRead) return leftOut('may_not_read');
  const { permission, address } = channelTerms[channel];
  if (channel === 'email' && couldLoop) return leftOut('could_loop');
  if (permission && !permissions.has(permission)) return leftOut('may_not_read_notifications');
  if (address && !candidate[address.field]) return leftOut(address.missing);
  return { channel, outcome: 'sent', reason };
}

function hasRole(role: ServiceRule['to'], event: Event, { administrator, userId }: Candidate): boolean {
  if (role === 'administrator') return administrator;
  return userId === (role === 'assignee' ? assigneeOf(event) : userConcernedBy(event));
}
