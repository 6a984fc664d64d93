import type { EmittedKind } from '../events/catalogue.ts';
import type { Event } from '../events/envelope.ts';
import type { EventKind } from '../events/kinds.ts';
import { asRecordId } from '../id/mint.ts';
import type { Channel } from '../users/channels.ts';

/** Whom a rule of the service means: the one who has the record, every administrator, the user whom the event is about. */
export type Addressed = 'assignee' | 'administrator' | 'user_concerned';

/** How the service tells of an event whoever made no rule for it. */
export interface ServiceRule {
  to: Addressed;
  channels: readonly Channel[];
  /** Left out: of each event of the kind. */
  when?: (event: Event) => boolean;
}

const nobody: readonly ServiceRule[] = [];
const assignee: ServiceRule = { to: 'assignee', channels: ['website'] };
const administrators: ServiceRule = { to: 'administrator', channels: ['website'] };
const userConcerned: ServiceRule = { to: 'user_concerned', channels: ['email'] };

/** A rotation was to give the record to somebody, and there was nobody. */
const unassigned: ServiceRule = {
  ...administrators,
  when: ({ data }) => 'unassigned' in data && data.unassigned === true,
};

/** A webhook that nobody switched off but the service itself, because it failed for too long. */
const disabledByService: ServiceRule = {
  to: 'administrator',
  channels: ['website', 'email'],
  when: ({ actor, data }) =>
    actor.user === 'system' && 'changes' in data && data.changes.active?.to === false,
};

/** Of every kind that occurs, whom the service tells without being asked. */
export const serviceRules: Readonly<
  Record<EmittedKind, readonly ServiceRule[]> & Partial<Record<EventKind, readonly ServiceRule[]>>
> = {
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

  user_password_changed: [userConcerned],
  user_password_reset_requested: [userConcerned],
  admin_force_set_password: [userConcerned],

  quota_exceeded: [administrators],
  system_error: [administrators],
  partner_integration_error: [administrators],
  webhook_delivery_failed: [administrators],
  webhook_updated: [disabledByService],

  account_created: nobody,
  account_updated: nobody,
  api_key_created: nobody,
  api_key_deleted: nobody,
  api_key_updated: nobody,
  api_rate_limited: nobody,
  application_completed: nobody,
  application_created: nobody,
  application_deleted: nobody,
  application_sensitive_data_revealed: nobody,
  application_submitted: nobody,
  application_updated: nobody,
  file_deleted: nobody,
  file_meta_data_updated: nobody,
  file_requested: nobody,
  file_upload_url_requested: nobody,
  file_uploaded: nobody,
  healthcheck: nobody,
  lead_rotation_created: nobody,
  lead_rotation_deleted: nobody,
  lead_rotation_updated: nobody,
  lead_source_activated: nobody,
  lead_source_created: nobody,
  lead_source_deactivated: nobody,
  lead_source_deleted: nobody,
  lead_source_updated: nobody,
  merchant_created: nobody,
  merchant_deleted: nobody,
  merchant_updated: nobody,
  mid_activated: nobody,
  mid_assigned: nobody,
  mid_created: nobody,
  mid_deleted: nobody,
  mid_suspended: nobody,
  mid_updated: nobody,
  note_created: nobody,
  note_deleted: nobody,
  note_updated: nobody,
  role_created: nobody,
  role_deleted: nobody,
  role_permissions_updated: nobody,
  team_activated: nobody,
  team_created: nobody,
  team_deactivated: nobody,
  team_deleted: nobody,
  team_updated: nobody,
  ticket_rotation_created: nobody,
  ticket_rotation_deleted: nobody,
  ticket_rotation_position_reset: nobody,
  ticket_rotation_status_changed: nobody,
  ticket_rotation_updated: nobody,
  ticket_type_created: nobody,
  ticket_type_deleted: nobody,
  ticket_type_status_changed: nobody,
  ticket_type_updated: nobody,
  underwriting_application_assigned: nobody,
  underwriting_application_priority_changed: nobody,
  underwriting_decision_made: nobody,
  underwriting_note_added: nobody,
  underwriting_risk_assessment_generated: nobody,
  user_account_settings_updated: nobody,
  user_added_to_account: nobody,
  user_created: nobody,
  user_deleted: nobody,
  user_logged_in: nobody,
  user_logged_out: nobody,
  user_permissions_set_directly: nobody,
  user_removed_from_account: nobody,
  user_roles_updated: nobody,
  user_updated: nobody,
  webhook_created: nobody,
  webhook_deleted: nobody,
  webhook_test: nobody,
};

/** The service's rules that count for an event. */
export const serviceRulesFor = (event: Event): readonly ServiceRule[] =>
  (serviceRules[event.kind] ?? nobody).filter(({ when }) => when?.(event) ?? true);

/** Whom the service's rules mean by id; whether they mean administrators, too, who are read by their own list. */
export function addressedBy(event: Event): { userIds: number[]; administrators: boolean } {
  const rules = serviceRulesFor(event);
  const ids = rules.map(({ to }) =>
    to === 'assignee' ? assigneeOf(event) : to === 'user_concerned' ? userConcernedBy(event) : undefined,
  );
  return {
    userIds: ids.filter((id) => id !== undefined),
    administrators: rules.some(({ to }) => to === 'administrator'),
  };
}

/** The id of the user who has the record after the change, be it a new one: whom an assignment tells. */
export function assigneeOf({ subject, data }: Event): number | undefined {
  const { assignedTo } = subject;
  const inData = 'assignedTo' in data ? data.assignedTo : 'to' in data ? data.to : undefined;
  return asRecordId(assignedTo ?? (typeof inData === 'string' ? inData : ''));
}

/** The id of the user whom an event is about. */
export const userConcernedBy = ({ subject }: Event): number | undefined =>
  subject.type === 'user' && typeof subject.id === 'number' ? subject.id : undefined;
