import type { RecipientRole } from '../../channels/channel.ts';
import type { ChannelName } from '../../channels/channels.ts';
import type { Event } from '../../events/envelope.ts';
import { asRecordId } from '../../id/mint.ts';
import type { EventKind } from '../../resources/registry.ts';

/** A default notification rule, used for users who have not set a preference. */
export interface ServiceRule {
  to: RecipientRole;
  channels: readonly ChannelName[];
  /** Limits the rule to some events of the kind. Default: all events. */
  when?: (event: Event) => boolean;
}

const assignee: ServiceRule = { to: 'assignee', channels: ['website'] };
const administrators: ServiceRule = { to: 'administrator', channels: ['website'] };
const userConcerned: ServiceRule = { to: 'user_concerned', channels: ['email'] };

/** Applies if a rotation found no assignee for the record. */
const unassigned: ServiceRule = {
  ...administrators,
  when: ({ data }) => 'unassigned' in data && data.unassigned === true,
};

/** Applies if an event contains a new invitation, whose token is mailed to the user. */
const invited: ServiceRule = { ...userConcerned, when: (event) => invitationIn(event) !== undefined };

/** Applies to changes of a user's second factors, and to many wrong codes. */
const ownFactors: ServiceRule = { ...userConcerned, when: (event) => ownerOfFactor(event) !== undefined };

/** Applies if the service disabled a webhook. */
const disabledByService: ServiceRule = {
  to: 'administrator',
  channels: ['website', 'email'],
  when: ({ actor, data }) =>
    actor.user === 'system' && 'changes' in data && data.changes.active?.to === false,
};

/** Applies if the service deactivated a vanity domain. */
const deactivatedByService: ServiceRule = {
  to: 'administrator',
  channels: ['website', 'email'],
  when: ({ kind, data }) => kind === 'vanity_domain_deleted' && 'reason' in data,
};

/** For kinds without a default rule, only users with a preference are notified. */
const rulesByKind: Readonly<Partial<Record<EventKind, readonly ServiceRule[]>>> = {
  lead_created: [assignee, unassigned],
  lead_updated: [assignee],
  lead_deleted: [assignee],
  lead_qualified: [assignee],
  lead_disqualified: [assignee],
  lead_assigned: [assignee],
  lead_converted: [assignee],
  lead_archived: [assignee],
  lead_unarchived: [assignee],

  ticket_created: [assignee, unassigned],
  ticket_updated: [assignee],
  ticket_deleted: [assignee],
  ticket_assigned: [assignee],
  ticket_status_changed: [assignee],
  ticket_comment_added: [assignee],

  user_created: [invited],
  user_added_to_account: [invited],
  user_updated: [invited],
  user_password_changed: [userConcerned],
  user_password_reset_requested: [userConcerned],
  admin_force_set_password: [userConcerned],
  user_impersonated: [userConcerned],
  no_event_name: [ownFactors],

  quota_exceeded: [administrators],
  system_error: [administrators],
  partner_integration_error: [administrators],
  webhook_delivery_failed: [administrators],
  webhook_updated: [disabledByService],
  vanity_domain_deleted: [deactivatedByService],
};

export const serviceRulesOf = (kind: EventKind): readonly ServiceRule[] => rulesByKind[kind] ?? [];

export const serviceRulesFor = (event: Event): readonly ServiceRule[] =>
  serviceRulesOf(event.kind).filter(({ when }) => when?.(event) ?? true);

/** The ids of the default recipients. If `administrators` is true, all administrators are recipients as well. */
export function recipientsByServiceRules(event: Event): { userIds: number[]; administrators: boolean } {
  const rules = serviceRulesFor(event);
  const ids = rules.map(({ to }) =>
    to === 'assignee' ? assigneeOf(event) : to === 'user_concerned' ? userConcernedBy(event) : undefined,
  );
  return {
    userIds: ids.filter((id) => id !== undefined),
    administrators: rules.some(({ to }) => to === 'administrator'),
  };
}

/** The id of the record's assignee after the change. */
export function assigneeOf({ subject, data }: Event): number | undefined {
  const { assignedTo } = subject;
  const inData = 'assignedTo' in data ? data.assignedTo : 'to' in data ? data.to : undefined;
  return asRecordId(assignedTo ?? (typeof inData === 'string' ? inData : ''));
}

/** The id of the new invitation in an event about a member. */
export function invitationIn({ subject, data }: Pick<Event, 'subject' | 'data'>): number | undefined {
  const id = subject.type === 'user' && 'changes' in data ? data.changes.invitationId?.to : undefined;
  return typeof id === 'number' ? id : undefined;
}

/** Reports whether an event is about the person's own password. The actor of such an event is the person. */
export const isByPerson = ({ kind }: Pick<Event, 'kind'>): boolean =>
  kind === 'user_password_changed' || kind === 'user_password_reset_requested';

export const userConcernedBy = (event: Event): number | undefined => {
  const { type, id } = event.subject;
  return type === 'user' && typeof id === 'number' ? id : ownerOfFactor(event);
};

/** The id of the user in an event about second factors. */
function ownerOfFactor({ data }: Event): number | undefined {
  if (!('happening' in data) || (data.resource !== 'factor' && data.resource !== 'recovery_codes'))
    return undefined;
  const { userId } = Object(data.detail);
  return typeof userId === 'number' ? userId : undefined;
}
