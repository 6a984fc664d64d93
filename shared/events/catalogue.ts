import {
  array,
  boolean,
  dateTime,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
  type TSchema,
  unsafe,
} from '../schema.ts';
import type { Changes } from './changes.ts';
import type { EventKind } from './kinds.ts';

/** An event kind that the service emits. */
interface Emitted<T extends readonly string[], S extends TSchema> {
  /** The subject types of the events of this kind. */
  subjects: T;
  /** The schema of the events' `data`. */
  schema: S;
  description: string;
}

/** A reserved event kind. Subscriptions may contain it, but the service does not emit it yet. */
interface Reserved<T extends readonly string[]> {
  subjects: T;
  schema?: undefined;
  description: string;
}

const emitted = <const T extends readonly string[], S extends TSchema>(
  subjects: T,
  schema: S,
  description: string,
): Emitted<T, S> => ({ subjects, schema, description });

const reserved = <const T extends string>(subject: T, description: string): Reserved<readonly [T]> => ({
  subjects: [subject],
  description,
});

const changes = unsafe<Changes>({
  type: 'object',
  additionalProperties: { type: 'object', properties: { from: {}, to: {} }, additionalProperties: false },
  description:
    'The old and the new value of each changed field, by field name or path. Sensitive and very large values are omitted.',
  examples: [{ name: { from: 'Harbor Street', to: 'Harbor Street Coffee' } }],
});
const changed = object({ changes });
const noData = unsafe<NoData>({ type: 'object', properties: {}, additionalProperties: false });
/** If `from` is absent, no user was assigned before the change. If `to` is absent, no user is assigned after it. */
const user = string({ description: 'The id of a user.', examples: ['214563398120449'] });
const fromToUser = object({ from: optional(user), to: optional(user) });
const reasoned = object({ reason: optional(string({ examples: ['Asked for a call next year.'] })) });
/** Set if a bulk request made the change. */
const ofBulk = {
  bulkId: optional(
    string({
      description: 'The id of the bulk request that made the change.',
      examples: ['bulk_5f0d7a1c9be24386a1c2d3e4f5061728'],
    }),
  ),
};
/** The data of a document event. The record to which the document belongs is in `subject.parent` of the event. */
const document = {
  documentId: recordId(),
  documentKey: string({ examples: ['voided-check'] }),
  name: string({ examples: ['scan.pdf'] }),
  contentType: string({ examples: ['application/pdf'] }),
  size: integer({ description: 'The size in bytes.', examples: [48_213] }),
};

const changedTicket = object({ changes, ...ofBulk });
const breachedTicket = object({
  change: oneOf(['sla_breached']),
  target: oneOf(['firstResponse', 'resolution']),
  breachedAt: dateTime({
    description:
      'When the target was missed: its due time, or the time of a change that moved the due time into the past.',
  }),
  ...ofBulk,
});
const dueChange = optional(object({ from: dateTime(), to: dateTime() }));
const recomputedTicket = object({
  change: oneOf(['sla_recomputed']),
  policy: integer({ description: 'The number of the SLA policy that applies now.', examples: [7] }),
  slaFirstResponseDue: dueChange,
  slaResolutionDue: dueChange,
});
const ticketUpdated = unsafe<
  Static<typeof changedTicket> | Static<typeof breachedTicket> | Static<typeof recomputedTicket>
>({
  anyOf: [changedTicket, breachedTicket, recomputedTicket],
});

/**
 * The subject types, data and description of all event kinds. This catalogue is the source of the types of emitted
 * events, the permissions to read events, GET /event-kinds, and the webhooks of the OpenAPI document. Deployed code
 * imports only types from this file, because bundles contain no schemas.
 */
export const eventCatalogue = {
  lead_created: emitted(
    ['lead'],
    object({
      changes,
      unassigned: optional(
        unsafe<true>({ const: true, description: 'No member of the rotation was eligible.' }),
      ),
    }),
    'A lead was created.',
  ),
  lead_updated: emitted(['lead'], changed, 'Fields of a lead changed.'),
  lead_deleted: emitted(['lead'], noData, 'A lead was deleted.'),
  lead_qualified: emitted(['lead'], reasoned, 'A lead was qualified.'),
  lead_disqualified: emitted(['lead'], reasoned, 'A lead was disqualified.'),
  lead_assigned: emitted(['lead'], fromToUser, 'A lead was assigned, reassigned or unassigned.'),
  lead_converted: emitted(
    ['lead'],
    object({ applicationId: string({ examples: ['app_65YB3N0G2M1'] }) }),
    'An application was created from a lead.',
  ),
  lead_archived: emitted(['lead'], noData, 'A lead was archived.'),
  lead_unarchived: emitted(['lead'], noData, 'A lead was unarchived.'),

  application_created: emitted(['application'], changed, 'An application was created.'),
  application_updated: emitted(['application'], changed, 'Fields of an application changed.'),
  application_deleted: emitted(['application'], noData, 'An application was deleted.'),
  application_completed: emitted(
    ['application'],
    noData,
    'An application became complete for the first time.',
  ),
  application_submitted: emitted(['application'], noData, 'An application was submitted.'),
  application_sensitive_data_revealed: emitted(
    ['application', 'merchant'],
    object({
      fields: unsafe<readonly string[]>({
        ...array(string({ examples: ['basics.dbaTaxId'] }), { description: 'The paths of the fields.' }),
      }),
    }),
    'Sensitive values of an application or merchant were shown.',
  ),

  user_created: emitted(['user'], changed, 'A user was created and invited.'),
  user_updated: emitted(['user'], changed, 'A user or a user’s membership changed.'),
  user_deleted: emitted(['user'], noData, 'A user was deleted.'),
  user_logged_in: emitted(
    ['user', 'api_key'],
    object({ method: oneOf(['password', 'api_key']) }),
    'A user or an API key logged in.',
  ),
  user_logged_out: emitted(
    ['user', 'api_key'],
    object({ sessions: oneOf(['one', 'all']) }),
    'A user or an API key logged out.',
  ),
  user_password_changed: emitted(
    ['user'],
    object({ by: oneOf(['password', 'token'], { description: 'How the user was authenticated.' }) }),
    'A user set a new password.',
  ),
  user_password_reset_requested: emitted(
    ['user'],
    noData,
    'A password reset email was requested for a user.',
  ),
  admin_force_set_password: emitted(['user'], noData, 'An administrator set a user’s password.'),
  user_impersonated: reserved('user', 'A user was impersonated.'),
  user_permissions_set_directly: emitted(
    ['user'],
    changed,
    'The permissions that a user has directly, not through a role, were set.',
  ),
  user_roles_updated: emitted(
    ['user'],
    object({
      from: array(string({ examples: ['Sales agent'] })),
      to: array(string({ examples: ['Underwriter'] })),
    }),
    'The roles of a user were set.',
  ),
  user_added_to_account: emitted(['user'], changed, 'An existing user was invited to the account.'),
  user_removed_from_account: emitted(['user'], noData, 'A user’s membership of the account ended.'),
  user_account_settings_updated: emitted(
    ['user'],
    changed,
    'The notification preferences of a user changed.',
  ),

  account_created: emitted(['account'], changed, 'The account was created.'),
  account_updated: emitted(['account'], changed, 'Settings of the account changed.'),
  account_deleted: reserved('account', 'The account was deleted.'),
  account_permissions_updated: reserved('account', 'The permissions of the account changed.'),
  account_type_created: reserved('account', 'An account type was created.'),
  account_type_deleted: reserved('account', 'An account type was deleted.'),
  account_type_updated: reserved('account', 'An account type changed.'),

  invoice_created: reserved('account', 'An invoice was created.'),
  payment_received: reserved('account', 'A payment was received.'),
  payment_failed: reserved('account', 'A payment failed.'),
  refund_issued: reserved('account', 'A refund was issued.'),

  event_request_body_revealed: reserved('account', 'The body of a logged request was shown.'),
  event_response_body_revealed: reserved('account', 'The body of a logged response was shown.'),

  system_error: emitted(
    ['account'],
    object({
      requestId: string({
        description: 'The x-request-id of the request that failed.',
        examples: ['5c3f2a9e-8d41-4b7a-9e0f-6a1b2c3d4e5f'],
      }),
      route: string({ examples: ['PATCH /leads/{leadId}'] }),
    }),
    'A request of the account failed with status 500. Emitted at most once per minute and route.',
  ),
  quota_exceeded: emitted(
    ['account'],
    object({ quota: string({ description: 'The path whose quota was reached.', examples: ['/webhooks'] }) }),
    'A request was rejected because a quota of the account was reached.',
  ),
  api_rate_limited: emitted(
    ['user', 'api_key', 'application'],
    object({
      limit: integer({ description: 'Requests per minute.', examples: [600] }),
      minute: string({ examples: ['2026-03-01T09:30'] }),
    }),
    'A caller exceeded its limit of requests per minute.',
  ),
  cron_triggered: reserved('account', 'A scheduled task ran.'),
  healthcheck: emitted(['account'], noData, 'A health check of the event pipeline ran.'),
  not_found: reserved('account', 'A request had an unknown path.'),
  method_not_allowed: reserved('account', 'A request had a method that its path does not support.'),
  no_event_name: reserved('account', 'An action without its own event kind was performed.'),

  api_key_created: emitted(['api_key'], changed, 'An API key was created.'),
  api_key_updated: emitted(['api_key'], changed, 'An API key or its permissions changed.'),
  api_key_deleted: emitted(['api_key'], noData, 'An API key was deleted.'),

  lead_rotation_created: emitted(['lead_rotation'], changed, 'A lead rotation was created.'),
  lead_rotation_updated: emitted(['lead_rotation'], changed, 'A lead rotation changed.'),
  lead_rotation_deleted: emitted(['lead_rotation'], noData, 'A lead rotation was deleted.'),

  team_created: emitted(['team'], changed, 'A team was created.'),
  team_updated: emitted(['team'], changed, 'A team changed.'),
  team_deleted: emitted(['team'], noData, 'A team was deleted.'),
  team_activated: emitted(['team'], noData, 'A team was activated.'),
  team_deactivated: emitted(['team'], noData, 'A team was deactivated.'),

  role_created: emitted(['role'], changed, 'A role was created.'),
  role_deleted: emitted(['role'], noData, 'A role was deleted.'),
  role_permissions_updated: emitted(['role'], changed, 'A role or its permissions changed.'),

  file_upload_url_requested: emitted(
    ['document'],
    object(document),
    'An upload URL for a file was requested.',
  ),
  file_uploaded: emitted(['document'], object(document), 'A file was uploaded.'),
  file_deleted: emitted(['document'], object(document), 'A file was deleted.'),
  file_requested: emitted(['document'], object(document), 'A download URL of a file was requested.'),
  file_meta_data_updated: emitted(
    ['document'],
    object({ ...document, changes }),
    'The name, key or review status of a file changed.',
  ),

  note_created: emitted(['note'], changed, 'A note about a merchant was created.'),
  note_deleted: emitted(['note'], object({ merchantId: recordId() }), 'A note about a merchant was deleted.'),
  note_updated: emitted(['note'], changed, 'A note about a merchant changed.'),

  lead_source_created: emitted(['lead_source'], changed, 'A lead source was created.'),
  lead_source_updated: emitted(['lead_source'], changed, 'A lead source changed.'),
  lead_source_deleted: emitted(['lead_source'], noData, 'A lead source was deleted.'),
  lead_source_activated: emitted(['lead_source'], noData, 'A lead source was activated.'),
  lead_source_deactivated: emitted(['lead_source'], noData, 'A lead source was deactivated.'),

  webhook_created: emitted(['webhook'], changed, 'A webhook was created.'),
  webhook_updated: emitted(
    ['webhook'],
    object({
      changes,
      reason: optional(
        string({
          description: 'Why the service disabled the webhook.',
          examples: ['The endpoint responded with 410 Gone.'],
        }),
      ),
    }),
    'A webhook changed or was disabled by the service.',
  ),
  webhook_deleted: emitted(['webhook'], noData, 'A webhook was deleted.'),
  webhook_delivery_failed: emitted(
    ['webhook'],
    object({
      failures: integer({ description: 'The number of failed deliveries in this hour.', examples: [3] }),
      eventId: recordId({ description: 'The newest event that was not delivered.' }),
      error: string({
        description: 'The error of the last attempt.',
        examples: ['The endpoint responded with 500.'],
      }),
    }),
    'Deliveries to a webhook failed after all retries. Emitted at most once per hour and webhook, and never sent to that webhook.',
  ),
  webhook_test: emitted(['webhook'], noData, 'A webhook was tested.'),

  merchant_created: emitted(['merchant'], changed, 'A merchant was created.'),
  merchant_updated: emitted(['merchant'], changed, 'A merchant or its equipment changed.'),
  merchant_deleted: emitted(['merchant'], noData, 'A merchant was deleted.'),

  underwriting_application_assigned: emitted(
    ['application'],
    fromToUser,
    'The underwriter of an application was set, changed or removed.',
  ),
  underwriting_application_priority_changed: emitted(
    ['application'],
    object({
      from: optional(string({ examples: ['medium'] })),
      to: optional(string({ examples: ['high'] })),
    }),
    'The underwriting priority of an application changed.',
  ),
  underwriting_decision_made: emitted(
    ['application'],
    object({
      decision: oneOf(['approved', 'rejected', 'info_requested']),
      reason: optional(string({ examples: ['The volume does not fit the business.'] })),
      requested: optional(
        array(string({ examples: ['basics.dbaTaxId'] }), {
          description: 'The requested fields and documents.',
        }),
      ),
      merchantId: optional(recordId({ description: 'The merchant created by an approval.' })),
    }),
    'An application was approved or rejected, or more information was requested.',
  ),
  underwriting_note_added: emitted(
    ['application'],
    object({ noteId: recordId() }),
    'An underwriting note was added to an application.',
  ),
  underwriting_risk_assessment_generated: emitted(
    ['application'],
    object({
      score: integer({ examples: [40] }),
      level: oneOf(['low', 'medium', 'high', 'critical']),
    }),
    'The risk of an application was assessed.',
  ),
  underwriting_auto_rule_created: reserved('account', 'An automatic underwriting rule was created.'),
  underwriting_auto_rule_updated: reserved('account', 'An automatic underwriting rule changed.'),
  underwriting_auto_rule_toggled: reserved(
    'account',
    'An automatic underwriting rule was switched on or off.',
  ),
  underwriting_auto_rule_tested: reserved('account', 'An automatic underwriting rule was tested.'),

  partner_webhook_received: reserved('account', 'The partner sent a webhook.'),
  application_sent_to_partner: reserved('application', 'An application was sent to the partner.'),
  partner_integration_error: reserved('account', 'The integration with the partner failed.'),
  partner_status_synced: reserved('application', 'The partner status of an application was fetched.'),
  partner_status_updated: reserved('application', 'The partner status of an application changed.'),
  partner_documents_transferred: reserved(
    'application',
    'Documents of an application were sent to the partner.',
  ),
  partner_note_received: reserved('application', 'The partner added a note to an application.'),

  extapi_lead_created: reserved('lead', 'A lead arrived through the external API.'),
  extapi_lead_batch_submitted: reserved('account', 'Leads arrived through the external API.'),
  extapi_application_submitted: reserved(
    'application',
    'An application was submitted through the external API.',
  ),
  extapi_application_updated: reserved('application', 'An application changed through the external API.'),
  extapi_documents_transferred: reserved('application', 'Documents arrived through the external API.'),
  extapi_status_change: reserved('application', 'The status of an application in the external API changed.'),

  vanity_domain_requested: reserved('account', 'A vanity domain was requested.'),
  vanity_domain_validated: reserved('account', 'A vanity domain was validated.'),
  vanity_domain_activated: reserved('account', 'A vanity domain was activated.'),
  vanity_domain_deleted: reserved('account', 'A vanity domain was deleted.'),

  mid_created: emitted(['mid'], changed, 'A MID was created.'),
  mid_updated: emitted(['mid'], changed, 'A MID changed.'),
  mid_deleted: emitted(['mid'], noData, 'A MID was deleted.'),
  mid_assigned: emitted(
    ['mid'],
    object({ from: recordId(), to: recordId() }),
    'A MID was assigned to another merchant.',
  ),
  mid_activated: emitted(['mid'], noData, 'A MID was activated.'),
  mid_suspended: emitted(['mid'], noData, 'A MID was suspended.'),

  ticket_type_created: emitted(['ticket_type'], changed, 'A ticket type was created.'),
  ticket_type_updated: emitted(['ticket_type'], changed, 'A ticket type changed.'),
  ticket_type_deleted: emitted(['ticket_type'], noData, 'A ticket type was deleted.'),
  ticket_type_status_changed: emitted(
    ['ticket_type'],
    object({ from: boolean({ description: 'The old value of `isActive`.' }), to: boolean() }),
    'A ticket type was activated or deactivated.',
  ),

  ticket_rotation_created: emitted(['ticket_rotation'], changed, 'A ticket rotation was created.'),
  ticket_rotation_updated: emitted(['ticket_rotation'], changed, 'A ticket rotation changed.'),
  ticket_rotation_deleted: emitted(['ticket_rotation'], noData, 'A ticket rotation was deleted.'),
  ticket_rotation_status_changed: emitted(
    ['ticket_rotation'],
    object({ from: string({ examples: ['active'] }), to: string({ examples: ['inactive'] }) }),
    'A ticket rotation was activated or deactivated.',
  ),
  ticket_rotation_position_reset: emitted(
    ['ticket_rotation'],
    object({
      from: integer({ description: 'The old value of `currentPosition`.', examples: [2] }),
      to: integer({ examples: [0] }),
    }),
    'The position of a ticket rotation was reset.',
  ),

  ticket_created: emitted(
    ['ticket'],
    object({
      changes,
      unassigned: optional(
        unsafe<true>({ const: true, description: 'The rotation could not assign the ticket.' }),
      ),
      reason: optional(
        oneOf(['rotation_gone', 'rotation_inactive', 'no_rotation', 'nobody_eligible', 'no_turn'], {
          description: 'Why the ticket was not assigned.',
        }),
      ),
    }),
    'A ticket was created.',
  ),
  ticket_updated: emitted(['ticket'], ticketUpdated, 'A ticket changed or missed a target.'),
  ticket_deleted: emitted(['ticket'], noData, 'A ticket was deleted.'),
  ticket_assigned: emitted(
    ['ticket'],
    object({ assignedTo: nullable(user), assignedTeamId: nullable(recordId()), ...ofBulk }),
    'The assignee or team of a ticket was set, changed or removed.',
  ),
  ticket_status_changed: emitted(
    ['ticket'],
    object({ from: string({ examples: ['open'] }), to: string({ examples: ['resolved'] }), ...ofBulk }),
    'The status of a ticket changed.',
  ),
  ticket_comment_added: emitted(
    ['ticket'],
    object({
      commentId: recordId(),
      visibility: oneOf(['public', 'internal']),
      authorType: oneOf(['staff', 'customer']),
    }),
    'A comment was added to a ticket.',
  ),
} as const satisfies Record<EventKind, Emitted<readonly string[], TSchema> | Reserved<readonly string[]>>;

type Catalogue = typeof eventCatalogue;

export interface ChangesData {
  changes: Changes;
}

/** The data of an event without details. */
export type NoData = Record<string, never>;

/** The event kinds that the service emits. Only these kinds have a schema for `data`. */
export type EmittedKind = {
  [K in EventKind]: Catalogue[K] extends { schema: TSchema } ? K : never;
}[EventKind];

export type EventData = { [K in EmittedKind]: Static<Catalogue[K]['schema']> };

export type SubjectType = Catalogue[EventKind]['subjects'][number];

export type SubjectTypeOf<K extends EventKind> = Catalogue[K]['subjects'][number];

/** The kinds with subject type `T` whose data is exactly `D`. */
export type KindAbout<T extends SubjectType, D> = {
  [K in EmittedKind]: T extends SubjectTypeOf<K>
    ? EventData[K] extends D
      ? D extends EventData[K]
        ? K
        : never
      : never
    : never;
}[EmittedKind];
