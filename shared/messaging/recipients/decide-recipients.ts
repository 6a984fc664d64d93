import type { Event } from '../../events/envelope.ts';
import { type Channel, channels } from '../../people/users/channels.ts';
import type { OwnRule } from '../../people/users/own-rules.ts';
import { phoneNumberOf } from '../../people/users/rules.ts';
import type { Permission } from '../../security/permissions.ts';
import { mayRead, permissionsToRead } from '../../security/read-permission.ts';
import {
  assigneeOf,
  type RecipientRole,
  type ServiceRule,
  serviceRulesFor,
  userConcernedBy,
} from './service-rules.ts';

/** Somebody who may hear of an event, as far as the decision depends on it. */
export interface Candidate {
  userId: number;
  /** Unknown of whoever is not a member, unless the event itself says it. */
  email?: string;
  name?: string;
  phone?: string;
  /** Whoever is invited and has not accepted is not a member yet. */
  standing: 'active' | 'inactive' | 'not_member';
  administrator: boolean;
  permissions: ReadonlySet<Permission>;
  rule?: OwnRule;
}

/** Why somebody hears of an event: by a rule of its own, or as whom the service tells. */
export type SentReason = 'own_rule' | RecipientRole;

/** Why somebody does not hear of an event on a channel. */
export type LeftOutReason =
  | 'not_member'
  | 'inactive'
  | 'no_rule'
  | 'empty_preference'
  | 'not_chosen'
  | 'actor'
  | 'may_not_read'
  | 'may_not_read_notifications'
  | 'no_phone';

export type ChannelOutcome =
  | { channel: Channel; outcome: 'sent'; reason: SentReason }
  | { channel: Channel; outcome: 'left_out'; reason: LeftOutReason };

/** What was decided for one user: an outcome for every channel, in their order. */
export interface RecipientDecision {
  userId: number;
  email?: string;
  decidedBy: OwnRule['from'] | 'service' | 'none';
  channels: ChannelOutcome[];
}

/**
 * Who hears of an event, on which channels and why: the user's rule for the account, else its default rule, else the
 * service's. The one place where that is decided: fan-out, `explain` and dry runs ask here.
 */
export function decideRecipients(event: Event, members: readonly Candidate[]): RecipientDecision[] {
  const rules = serviceRulesFor(event);
  const needed = permissionsToRead(event);
  return members.map((member) => {
    const claims = rules.filter(({ to }) => isAddressed(to, event, member));
    const candidate = {
      member,
      claims,
      isActor: isActor(event, member),
      mayRead: mayRead(member, needed) || isAbout(event, member),
    };
    return {
      userId: member.userId,
      email: member.email,
      decidedBy: member.rule?.from ?? (claims.length > 0 ? 'service' : 'none'),
      channels: channels.map((channel) => outcomeOf(candidate, channel)),
    };
  });
}

interface MatchedCandidate {
  member: Candidate;
  claims: readonly ServiceRule[];
  isActor: boolean;
  mayRead: boolean;
}

function outcomeOf({ member, claims, isActor, mayRead }: MatchedCandidate, channel: Channel): ChannelOutcome {
  const leftOut = (reason: LeftOutReason): ChannelOutcome => ({ channel, outcome: 'left_out', reason });
  const { standing, rule, phone } = member;
  const claim = claims.find((one) => one.channels.includes(channel));
  // Whatever rules one made, and wherever one belongs: by such a mail a user notices that its password was taken.
  if (claim?.to === 'user_concerned') return { channel, outcome: 'sent', reason: claim.to };
  if (standing !== 'active') return leftOut(standing);
  const asked = rule?.channels.includes(channel) ? 'own_rule' : undefined;
  const reason = rule ? asked : claim?.to;
  if (!reason)
    return leftOut(!rule ? 'no_rule' : rule.channels.length > 0 ? 'not_chosen' : 'empty_preference');
  if (!rule && isActor) return leftOut('actor');
  if (!mayRead) return leftOut('may_not_read');
  if (channel === 'website' && !holds(member, 'readNotifications'))
    return leftOut('may_not_read_notifications');
  if (channel === 'sms' && !phoneNumberOf(phone)) return leftOut('no_phone');
  return { channel, outcome: 'sent', reason };
}

const holds = ({ administrator, permissions }: Candidate, permission: Permission): boolean =>
  administrator || permissions.has(permission);

function isAddressed(to: RecipientRole, event: Event, member: Candidate): boolean {
  if (to === 'administrator') return member.administrator;
  return member.userId === (to === 'assignee' ? assigneeOf(event) : userConcernedBy(event));
}

const isAbout = (event: Event, { userId }: Candidate): boolean => userConcernedBy(event) === userId;

const isActor = ({ actor }: Event, { email }: Candidate): boolean =>
  actor.apiKey === null && actor.user === email;
