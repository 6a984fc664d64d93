import { channels } from '../../people/users/channels.ts';
import { array, dateTime, nullable, object, oneOf, optional, recordId, string } from '../../schema.ts';

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
      description: 'The email of a member of the account. Default: the caller.',
      examples: ['grace@example.com'],
    }),
  ),
});

export const ExplainedChannel = object({
  channel: oneOf(channels),
  outcome: oneOf(['sent', 'waiting', 'not_delivered', 'left_out'], {
    description: 'With `decided_anew`, what the current rules would decide.',
  }),
  reason: oneOf(explainedReasons, {
    description:
      '`rule_changed`: sent, although the current rules would not send it. `no_address`, `too_late`, `over_limit` (part of the mail at the end of the hour) and `refused`: not sent, for this reason. `unknown`: it may have arrived or not.',
  }),
  at: nullable(
    dateTime({
      description:
        'When it arrived, was last attempted, or will be attempted. For a digest, when the digest was or will be sent. null if there is no record.',
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
      'Which rule applies now: the user’s rule for this account, the user’s default rule, the service’s rule, or none.',
  }),
  channels: array(ExplainedChannel),
});
