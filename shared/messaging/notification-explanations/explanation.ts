import { channels } from '../../people/users/channels.ts';
import { array, dateTime, nullable, object, oneOf, optional, recordId, string } from '../../schema.ts';

/** Every reason there is, for what was sent and for what was not. */
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
      description: 'The email of a member of the account. Left out: who asks.',
      examples: ['grace@example.com'],
    }),
  ),
});

/** What became of an event on one channel. */
export const ExplainedChannel = object({
  channel: oneOf(channels),
  outcome: oneOf(['sent', 'waiting', 'not_delivered', 'left_out'], {
    description: 'Of `decided_anew`: what the rules of now would decide.',
  }),
  reason: oneOf(explainedReasons, {
    description:
      '`rule_changed`: it was sent, and by the rules of now it would not be. `no_address`, `too_late`, `over_limit` (it is in the mail at the hour’s end) and `refused` are of what was to be sent and was not; `unknown`: nobody knows whether it arrived.',
  }),
  at: nullable(
    dateTime({
      description:
        'When it arrived, was last tried, or will be tried; null where nothing is on record. Of a digest, when that was or will be.',
    }),
  ),
  basis: oneOf(['record', 'decided_anew'], {
    description:
      '`decided_anew`: nothing is on record, because it was left out, has expired, or has not been told yet.',
  }),
});

/** Why a user heard, or did not hear, of an event. */
export const NotificationExplanation = object({
  eventId: recordId(),
  user: string({ examples: ['ada@example.com'] }),
  decidedBy: oneOf(['account', 'default', 'service', 'none'], {
    description:
      'Whose rule it is by the rules of now: the user’s for this account, its default one, the service’s, or nobody’s.',
  }),
  channels: array(ExplainedChannel),
});
